import { KubewrightError } from '@kubewright/api/errors';
import type { PlannedRequest } from '@kubewright/apiserver';

/**
 * Identifies a write of an operator, independent of other writes and of time: the third change of `status.phase` of an object is the same
 * write even if the operator writes other objects in another order.
 */
export interface WriteName {
  /** The verb of the request, or 'apply'. */
  readonly verb: string;
  /** The kind, or the plural name of the resource if the kind is not known. */
  readonly kind: string;
  /** The subresource. Undefined for the object and its status. */
  readonly subresource?: string;
  /** Undefined for a cluster-scoped object. */
  readonly namespace?: string;
  /** The name, with '*' instead of the generated part. Undefined for a collection. */
  readonly name?: string;
  /** The changed fields, such as 'status.phase', sorted. */
  readonly fields: readonly string[];
  /** The number of this write among the writes with the same verb, object and fields, from 1. */
  readonly occurrence: number;
}

const VERBS: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deletecollection']);
const PATTERN =
  /^(?<verb>[a-z]+) (?<kind>[^/: ]+)(?::(?<subresource>[^/ ]+))?\/(?:(?<namespace>[^/ ]+)\/)?(?<name>[^/ ]+)(?: (?<fields>[^ #]+))?(?: #(?<occurrence>[1-9]\d*))?$/;
/** The characters of a field that have a meaning in the text of a name. */
const RESERVED = /[%, #]/g;

/** Whether the text of a name, such as 'patch Database/default/db #1' or 'get secrets/default/ca #1', begins with the verb of a write. */
export function isWriteText(text: string): boolean {
  return VERBS.has(text.slice(0, text.indexOf(' ')));
}

/**
 * Returns the text of a name, which `parseWriteName` reads.
 *
 * @example
 * writeNameText(name); // 'patch Database/default/db status.phase #2', or 'create Pod:eviction/default/a #1'
 */
export function writeNameText(name: WriteName): string {
  return `${withoutOccurrence(name)} #${name.occurrence}`;
}

/** Parses the text of a name. Without a number, the name means the first occurrence. Throws INVALID_OPTION if the text is not valid. */
export function parseWriteName(text: string): WriteName {
  const { verb, kind, subresource, namespace, name, fields, occurrence = '1' } = PATTERN.exec(text)?.groups ?? {};
  if (verb === undefined || kind === undefined || !VERBS.has(verb)) {
    throw new KubewrightError(
      'INVALID_OPTION',
      `invalid name of a write '${text}': write a verb, an object, the changed fields and a number, such as 'patch Database/default/db status.phase #2'`,
    );
  }
  return {
    verb,
    kind,
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && name !== COLLECTION && { name }),
    fields: fields === undefined ? [] : fields.split(',').map(decodeURIComponent),
    occurrence: Number(occurrence),
  };
}

/** Names the writes that a fault plan receives. Counts occurrences in the order of the calls of `next`. */
export class WriteNames {
  readonly #counts = new Map<string, number>();

  /** @param earlier the names of earlier writes, which also count. @default none */
  constructor(earlier: readonly WriteName[] = []) {
    for (const name of earlier) this.#counts.set(withoutOccurrence(name), name.occurrence);
  }

  /** Returns the name of the next request. Returns undefined for a read. */
  next(request: PlannedRequest): WriteName | undefined {
    const { verb, resource, subresource, namespace, write } = request;
    if (!VERBS.has(verb)) return undefined;
    const name = write?.name ?? request.name;
    const written = {
      verb: write?.verb ?? verb,
      kind: write?.kind ?? resource,
      ...(subresource !== undefined && subresource !== 'status' && { subresource }),
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
      fields: write?.fields ?? [],
    };
    const key = withoutOccurrence(written);
    const occurrence = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, occurrence);
    return { ...written, occurrence };
  }
}

/** The text instead of the name of an object, for a collection. */
const COLLECTION = '*';

function withoutOccurrence({
  verb,
  kind,
  subresource,
  namespace,
  name = COLLECTION,
  fields,
}: Omit<WriteName, 'occurrence'>): string {
  const object = [`${kind}${subresource === undefined ? '' : `:${subresource}`}`, namespace, name];
  const path = object.filter((part) => part !== undefined).join('/');
  const listed = fields.map((field) => field.replace(RESERVED, encodeURIComponent)).join(',');
  return `${verb} ${path}${listed === '' ? '' : ` ${listed}`}`;
}
