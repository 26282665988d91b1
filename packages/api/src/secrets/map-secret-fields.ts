import { isJsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { isSecretContainer } from './container-shape.js';
import { isDataName, LAST_APPLIED, namesOfPointer } from './json-pointer.js';
import { isSecretAt, isSecretName, MASK } from './secret-name.js';
import { isSecretList, isSecretObject } from './secret-object.js';

/** Information about a value that the value itself does not contain. */
export interface SecretRules {
  /** The schema of the value. Fields with `format: 'password'` are secret. @default none */
  readonly schema?: StructuralSchema | undefined;
  /** Whether the value is a Secret or a patch of a Secret. @default whether the `kind` of the value is Secret */
  readonly isSecret?: boolean;
}

/** One value of a secret field. */
export interface SecretText {
  /** The value as text. For an object or a list, a text that changes if any nested value changes. */
  readonly text: string;
  /** The name of the field. */
  readonly name: string;
  /** Whether the text is base64, as in the data of a Secret. */
  readonly isBase64: boolean;
  /** The values within an object or a list that is secret as a whole. */
  readonly parts?: readonly SecretText[];
}

interface Place {
  readonly name: string;
  /** Whether the path of a JSON patch operation is secret. */
  readonly isHidden?: boolean;
  readonly schema: StructuralSchema | undefined;
  /** The field of a Secret that contains the value. Undefined outside of the data of a Secret. */
  readonly data: 'data' | 'stringData' | undefined;
  /** Whether the value is a Secret. If undefined, the `kind` of the value determines whether it is a Secret. */
  readonly isSecret?: boolean | undefined;
  /** Whether the value is within a Secret. */
  readonly isInSecret: boolean;
  readonly depth: number;
}

/**
 * The maximum depth of objects and lists that are copied. Deeper values are masked as a whole, because a value of this depth usually
 * contains itself.
 */
const DEEPEST = 100;

/**
 * Returns a copy of an object or a patch in which `replace` replaces each text, number and boolean of a secret field. Secret fields are:
 * - the data of a Secret
 * - fields whose schema has `format: 'password'`
 * - fields with a secret name, and JSON patch operations with a secret path
 * - environment variables with a secret name
 * - the last applied configuration, if the object or the configuration has other secret fields, or if the configuration is not valid JSON
 *
 * An object or a list in a secret field is replaced as a whole if `ContainerShape` does not show it. Objects and lists at a depth of more
 * than 100 are masked.
 */
export function mapSecretFields(
  value: unknown,
  { schema, isSecret = isSecretObject(value) }: SecretRules,
  replace: (secret: SecretText) => unknown,
): unknown {
  const mapper = new SecretFieldMapper({ schema, isSecret }, replace);
  const mapped = mapper.map(value);
  // The mapper visits the annotation before the fields that determine whether the annotation is secret, so a second run can be necessary.
  return mapper.hasSecrets && mapper.hasShownConfiguration ? mapper.map(value) : mapped;
}

class SecretFieldMapper {
  readonly #rules: SecretRules & { readonly isSecret: boolean };
  readonly #replace: (secret: SecretText) => unknown;
  /** Whether a value was replaced. */
  hasSecrets = false;
  /** Whether a last applied configuration was not replaced. */
  hasShownConfiguration = false;

  constructor(rules: SecretRules & { readonly isSecret: boolean }, replace: (secret: SecretText) => unknown) {
    this.#rules = rules;
    this.#replace = replace;
  }

  map(value: unknown): unknown {
    const { schema, isSecret } = this.#rules;
    return this.#mapped(value, { name: '', schema, data: undefined, isSecret, isInSecret: isSecret, depth: 0 });
  }

  #mapped(value: unknown, place: Place): unknown {
    if (isScalar(value)) return this.#mappedScalar(value, place);
    if (typeof value !== 'object' || value === null) return value;
    if (place.depth > DEEPEST) {
      this.hasSecrets = true;
      return MASK;
    }
    if (this.#isSecretField(place) && isWhole(value, place))
      return this.#replaced({ name: place.name, isBase64: false, ...wholeOf(value) });
    const depth = place.depth + 1;
    if (Array.isArray(value)) {
      const inside = { ...place, schema: place.schema?.items, depth };
      return value.map((item) => this.#mapped(item, isOperation(item) ? { ...place, depth } : inside));
    }
    if (isOperation(value)) return { ...value, value: this.#mapped(value['value'], placeOf(value, this.#rules)) };
    return this.#mappedMembers(value, { ...place, depth });
  }

  #mappedScalar(value: Scalar, place: Place): unknown {
    const { name, data, isInSecret } = place;
    const text = String(value);
    if (name === LAST_APPLIED) {
      const isShown = !isInSecret && !this.hasSecrets && !this.#isSecretConfiguration(text);
      this.hasShownConfiguration ||= isShown;
      this.hasSecrets ||= !isShown;
      return isShown ? value : this.#replace({ text, name, isBase64: false });
    }
    return this.#isSecretField(place) ? this.#replaced({ text, name, isBase64: data === 'data' }) : value;
  }

  #isSecretField({ name, data, schema, isHidden }: Place): boolean {
    return data !== undefined || schema?.format === 'password' || isHidden === true || isSecretName(name);
  }
  #replaced(secret: SecretText): unknown {
    this.hasSecrets = true;
    return this.#replace(secret);
  }

  #mappedMembers(value: object, place: Place): unknown {
    const isSecret = place.isSecret ?? isSecretObject(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const isData = isSecret && isDataName(key);
        const inside: Place = {
          // The secret name of an environment variable is in its field `name`.
          name: key === 'value' && isSecretVariable(value) ? value.name : key,
          schema: schemaWithin(place.schema, key),
          data: isData ? key : place.data,
          isSecret: key === 'items' && isSecretList(value) ? true : undefined,
          isInSecret: isSecret || place.isInSecret,
          depth: place.depth,
        };
        return [key, this.#mapped(member, inside)];
      }),
    );
  }

  /** Whether a configuration has secret fields, or is not valid JSON. */
  #isSecretConfiguration(text: string): boolean {
    try {
      const value: unknown = JSON.parse(text);
      const mapper = new SecretFieldMapper({ schema: this.#rules.schema, isSecret: isSecretObject(value) }, () => MASK);
      mapper.map(value);
      return mapper.hasSecrets;
    } catch {
      return true;
    }
  }
}

/** Returns a copy of an object or a patch with masked secret fields. See `mapSecretFields`. */
export function maskSecretFields(value: unknown, rules: SecretRules = {}): unknown {
  return mapSecretFields(value, rules, () => MASK);
}

/** Whether an object or a list in a secret field is replaced as a whole. */
function isWhole(value: object, { data, schema }: Place): boolean {
  return data === undefined && (schema?.format === 'password' || isSecretContainer(value));
}

type Scalar = string | number | boolean | bigint;
function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
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
/** Whether a value is a JSON patch operation that has a value. */
function isOperation(value: unknown): value is Operation & Readonly<Record<string, unknown>> {
  if (!isJsonObject(value) || typeof value['op'] !== 'string' || value['value'] === undefined) return false;
  // The empty path refers to the whole object.
  return typeof value['path'] === 'string' && /^(?:\/|$)/.test(value['path']);
}
function placeOf({ path }: Operation, { schema, isSecret = false }: SecretRules): Place {
  const names = namesOfPointer(path);
  const of = names.reduce<StructuralSchema | undefined>(
    (each, name) => each?.items ?? schemaWithin(each, name),
    schema,
  );
  const [first] = names;
  return {
    name: names.findLast((each) => !/^(?:\d+|-)$/.test(each)) ?? '',
    isHidden: isSecretAt(names),
    schema: of,
    data: isSecret && isDataName(first) ? first : undefined,
    isSecret: first === undefined && isSecret,
    isInSecret: isSecret,
    depth: names.length,
  };
}

function isSecretVariable(value: object): value is { readonly name: string } {
  const { name, value: text } = value as { readonly name?: unknown; readonly value?: unknown };
  return typeof name === 'string' && isScalar(text) && isSecretName(name);
}

/** Returns the scalars in an object or a list, and a text that changes if any nested value changes. */
function wholeOf(value: object): { readonly text: string; readonly parts: readonly SecretText[] } {
  const parts: SecretText[] = [];
  const entries: string[] = [];
  const seen = new Set<object>();
  const add = (inner: unknown, name: string, path: readonly string[]): void => {
    const text = String(isScalar(inner) ? inner : typeof inner);
    entries.push(JSON.stringify([path, text]));
    if (isScalar(inner)) parts.push({ text, name, isBase64: false });
    if (typeof inner !== 'object' || inner === null || seen.has(inner) || path.length > DEEPEST) return;
    seen.add(inner);
    const isList = Array.isArray(inner);
    for (const [key, member] of Object.entries(inner)) add(member, isList ? name : key, [...path, key]);
  };
  add(value, '', []);
  return { text: entries.join(), parts };
}
