import { isJsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { isSecretName, MASK } from './secret-name.js';

/** What the caller knows about a value besides its fields. */
export interface SecretRules {
  /** Its schema: text with `format: 'password'` is secret. Default: none */
  readonly schema?: StructuralSchema | undefined;
  /** Whether the value is a Secret or a patch of a Secret, even without a `kind`. Default: decided by its `kind` */
  readonly isSecret?: boolean;
}

/** One text of a secret field. */
export interface SecretText {
  readonly text: string;
  /** The name of the field. */
  readonly name: string;
  /** Whether the text is base64, as in the data of a Secret. */
  readonly isBase64: boolean;
}

interface Place {
  readonly name: string;
  readonly schema: StructuralSchema | undefined;
  /** Within the data of a Secret. */
  readonly data: 'data' | 'stringData' | undefined;
  /** Whether the value is a Secret. Undefined: decided by its `kind`. */
  readonly isSecret?: boolean | undefined;
  readonly depth: number;
}

/** The depth at which the search stops. Only a value that contains itself is this deep. */
const DEEPEST = 100;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns a copy of an object, or of a patch, in which each text of a secret field is replaced. Secret fields are the data of a Secret,
 * fields whose schema has `format: 'password'`, fields with a secret name, variables of containers with a secret name, and
 * the last applied configuration of objects that have any of these.
 */
export function mapSecretFields(
  value: unknown,
  { schema, isSecret = isSecretObject(value) }: SecretRules,
  replace: (secret: SecretText) => unknown,
): unknown {
  let found = false;
  const mapped = (each: unknown, place: Place): unknown => {
    const { name, data, depth } = place;
    if (typeof each === 'string') {
      if (data === undefined && place.schema?.format !== 'password' && !isSecretName(name)) return each;
      found = true;
      return replace({ text: each, name, isBase64: data === 'data' });
    }
    if (typeof each !== 'object' || each === null || depth > DEEPEST) return each;
    if (Array.isArray(each)) {
      const inside = { ...place, schema: place.schema?.items, depth: depth + 1 };
      return each.map((item) => mapped(item, isOperation(item) ? { ...place, depth: depth + 1 } : inside));
    }
    if (isOperation(each)) {
      const inside = placeOf(each, { schema, isSecret });
      const written = mapped(each['value'], inside);
      return { ...each, value: inside.isSecret === true ? withoutLastApplied(written, replace) : written };
    }
    const isSecretHere = place.isSecret ?? isSecretObject(each);
    const copy = Object.fromEntries(
      Object.entries(each).map(([key, member]) => {
        const isData = isSecretHere && (key === 'data' || key === 'stringData');
        const inside: Place = {
          // The value of an environment variable is next to its name.
          name: key === 'value' && isSecretVariable(each) ? each.name : key,
          schema: schemaWithin(place.schema, key),
          data: isData ? key : data,
          isSecret: key === 'items' && isSecretList(each) ? true : undefined,
          depth: depth + 1,
        };
        return [key, mapped(member, inside)];
      }),
    );
    return isSecretHere && depth > 0 ? withoutLastApplied(copy, replace) : copy;
  };
  const result = mapped(value, { name: '', schema, data: undefined, isSecret, depth: 0 });
  return found || isSecret ? withoutLastApplied(result, replace) : result;
}

/** Returns a copy of an object, or of a patch, with the texts of its secret fields masked. See `mapSecretFields`. */
export function maskSecretFields(value: unknown, rules: SecretRules = {}): unknown {
  return mapSecretFields(value, rules, () => MASK);
}

/** Returns whether a value is a Secret of the core group. A value without an `apiVersion` is judged by its kind. */
function isSecretObject(value: unknown): boolean {
  if (!isJsonObject(value) || value['kind'] !== 'Secret') return false;
  return value['apiVersion'] === undefined || value['apiVersion'] === 'v1';
}

/** Whether a value is a list of Secrets. API servers leave out the `kind` of its items. */
function isSecretList(value: object): boolean {
  const { kind, apiVersion } = value as { readonly kind?: unknown; readonly apiVersion?: unknown };
  return kind === 'SecretList' && (apiVersion === undefined || apiVersion === 'v1');
}

/** Returns the schema of a member of an object. */
export function schemaWithin(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {};
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

interface Operation {
  readonly path: string;
  readonly value: unknown;
}
/** Whether it is one operation of a JSON patch. */
function isOperation(value: unknown): value is Operation & Readonly<Record<string, unknown>> {
  if (!isJsonObject(value) || typeof value['op'] !== 'string' || value['value'] === undefined) return false;
  // The empty path is that of the whole object.
  return typeof value['path'] === 'string' && /^(?:\/|$)/.test(value['path']);
}
function placeOf({ path }: Operation, { schema, isSecret = false }: SecretRules): Place {
  const names = path.split('/').slice(1);
  const of = names.reduce<StructuralSchema | undefined>(
    (each, name) => each?.items ?? schemaWithin(each, name),
    schema,
  );
  const [first] = names;
  const data = isSecret && (first === 'data' || first === 'stringData') ? first : undefined;
  const name = names.findLast((each) => !/^(?:\d+|-)$/.test(each)) ?? '';
  return { name, schema: of, data, isSecret: first === undefined && isSecret, depth: names.length };
}

function isSecretVariable(value: object): value is { readonly name: string } {
  const { name, value: text } = value as { readonly name?: unknown; readonly value?: unknown };
  return typeof name === 'string' && typeof text === 'string' && isSecretName(name);
}

function withoutLastApplied(value: unknown, replace: (secret: SecretText) => unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return value;
  const { metadata } = value;
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  const text = annotations[LAST_APPLIED];
  if (typeof text !== 'string') return value;
  const replaced = { ...annotations, [LAST_APPLIED]: replace({ text, name: LAST_APPLIED, isBase64: false }) };
  return { ...value, metadata: { ...metadata, annotations: replaced } };
}
