import { ApiError } from '@kubewright/api/errors';
import { applyDefaults, prune, pruneNulls, type StructuralSchema } from '@kubewright/api/schema';
import { valueBudget } from '../../storage/value-limit.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import { failure } from '../requests/status-errors.js';
import type { Conversion, WebhookConverter } from './webhook-converter.js';

/** A version and the schema of its objects. */
export interface VersionSchema {
  readonly apiVersion: string;
  readonly schema: StructuralSchema;
}

/** The maximum number of objects in one webhook call. kubectl requests pages of this size. */
const mostInCall = 500;

/**
 * Reads stored objects in one version. Prunes each object and applies defaults with the current schema of the version in which the object
 * is stored. If this version differs from the version of the reader, converts the object, and then prunes the converted object with the
 * schema of the reader. Remembers the result for each stored object.
 */
export class StoredReader {
  readonly #shown: VersionSchema;
  readonly #schemas: ReadonlyMap<string, StructuralSchema>;
  readonly #converter: WebhookConverter | undefined;
  readonly #known = new WeakMap<ApiObject, ApiObject>();
  /** The promised result for each stored object that a running webhook call converts. */
  readonly #pending = new Map<ApiObject, Promise<Conversion>>();

  /** @param converter the converter for the conversion strategy `Webhook`; undefined for the strategy `None` */
  constructor(
    shown: VersionSchema,
    schemas: ReadonlyMap<string, StructuralSchema>,
    converter: WebhookConverter | undefined,
  ) {
    this.#shown = shown;
    this.#schemas = schemas;
    this.#converter = converter;
  }

  /** Whether `get` returns the object. False for an object that the webhook has to convert first. */
  isRead(stored: ApiObject): boolean {
    return this.#converter === undefined || stored.apiVersion === this.#shown.apiVersion || this.#known.has(stored);
  }

  /** Returns the object in the version of the reader. Throws a 500 error if the webhook has to convert the object first. */
  get(stored: ApiObject): ApiObject {
    const before = this.#known.get(stored);
    if (before !== undefined) return before;
    if (!this.isRead(stored)) {
      const { name } = stored.metadata;
      throw failure(500, '', { message: `${stored.kind} "${name}" is not converted to ${this.#shown.apiVersion} yet` });
    }
    return this.#remember(stored, withoutConversion(this.#current(stored), this.#shown));
  }

  /** See `VersionConversion.read`. */
  async read(stored: readonly ApiObject[]): Promise<void> {
    const unread = [...new Set(stored)].filter((object) => !this.isRead(object));
    const started = unread.filter((object) => !this.#pending.has(object));
    for (let at = 0; at < started.length; at += mostInCall) this.#start(started.slice(at, at + mostInCall));
    const conversions = await Promise.all(unread.map(async (object) => this.#pending.get(object)));
    for (const conversion of conversions) if (conversion !== undefined && 'error' in conversion) throw conversion.error;
  }

  /** See `VersionConversion.readAgain`. */
  async readAgain(stored: ApiObject): Promise<ApiObject> {
    if (this.#converter === undefined || stored.apiVersion === this.#shown.apiVersion) return this.get(stored);
    const [conversion] = await this.#convert(this.#converter, [stored]);
    if (conversion !== undefined && 'object' in conversion) return conversion.object;
    throw conversion?.error;
  }

  #start(stored: readonly ApiObject[]): void {
    if (this.#converter === undefined) return;
    const converting = this.#convert(this.#converter, stored);
    for (const [at, object] of stored.entries()) {
      this.#pending.set(
        object,
        converting.then((conversions) => conversions[at] as Conversion).finally(() => this.#pending.delete(object)),
      );
    }
  }

  async #convert(converter: WebhookConverter, stored: readonly ApiObject[]): Promise<readonly Conversion[]> {
    const { apiVersion, schema } = this.#shown;
    const sent = stored.map((object) => withoutResourceVersion(this.#current(object)));
    const conversions = await converter.convertAll(sent, apiVersion);
    return conversions.map((conversion, at) => {
      if ('error' in conversion) return conversion;
      const original = stored[at] as ApiObject;
      const { resourceVersion } = original.metadata;
      const read = withoutUnknown(conversion.object, schema);
      return { object: this.#remember(original, { ...read, metadata: { ...read.metadata, resourceVersion } }) };
    });
  }

  /** Returns a stored object in its own version, pruned and with the defaults of the current schema of this version. */
  #current(stored: ApiObject): ApiObject {
    const own = this.#schemas.get(stored.apiVersion) ?? this.#shown.schema;
    return withDefaults(prune(stored, own).value, own);
  }

  #remember(stored: ApiObject, read: ApiObject): ApiObject {
    this.#known.set(stored, read);
    return read;
  }
}

/**
 * Converts an object with the conversion strategy `None`: changes the apiVersion, and drops the fields that the target version does not
 * have.
 */
export function withoutConversion<T extends ApiObject | JsonObject>(
  object: T,
  { apiVersion, schema }: VersionSchema,
): T {
  return object['apiVersion'] === apiVersion ? object : prune({ ...object, apiVersion }, schema).value;
}

/** Removes the fields that the schema does not define, and the nulls that the schema does not allow, from the result of a webhook. */
export function withoutUnknown(object: ApiObject, schema: StructuralSchema): ApiObject {
  return pruneNulls(prune(object, schema).value, schema);
}

/**
 * Returns the object that the webhook receives: without the resourceVersion, because a kube-apiserver stores the resourceVersion outside of
 * the object.
 */
export function withoutResourceVersion(object: ApiObject): ApiObject {
  if (object.metadata.resourceVersion === undefined) return object;
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata } as ApiObject;
}

/** Applies the defaults. Returns the object without defaults if the defaults would add more values than the limit. */
function withDefaults(object: ApiObject, schema: StructuralSchema): ApiObject {
  try {
    return applyDefaults(object, schema, { onFill: valueBudget() });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return object;
  }
}
