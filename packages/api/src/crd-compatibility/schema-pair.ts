import { stringifyJson } from '../json/stringify-json.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';

/** The schemas of the value at one path in the objects of a kind, before and after a change of the definition. */
export interface SchemaPair {
  readonly path: string;
  readonly before: StructuralSchema;
  readonly after: StructuralSchema;
  /** The CEL rules and the alternatives that the new definition declares on the enclosing values, as strings. */
  readonly around: readonly string[];
  /** Whether the value is the whole object. The whole object changes at each write, because its metadata changes. */
  readonly root?: boolean;
}

/**
 * Returns a finding for a change that can reject values that were accepted before. The class is `ratcheted`, because the API server accepts
 * unchanged stored values. The class is `breaking` for the whole object, and for a value that can have fields that the schema does not
 * name.
 */
export function tightened(
  { path, after, root = false }: Pick<SchemaPair, 'path' | 'after' | 'root'>,
  change: string,
  remedy = 'keep accepting the previous values, and let the controller report unsupported values in a condition',
): LocalFinding {
  if (root) {
    const reason = 'each update changes the object as a whole, so even an update of its labels can be rejected';
    return { path: path || '.', change, class: 'breaking', reason, remedy };
  }
  if (holdsUnnamed(after)) {
    const reason =
      'values with fields that the schema does not name count as changed at every update, so an unrelated update can be rejected';
    return { path, change, class: 'breaking', reason, remedy };
  }
  const reason = 'new values can be rejected; updates of stored objects that do not change this value are accepted';
  return { path, change, class: 'ratcheted', reason, remedy };
}

/** Whether a value can have fields that the schema does not name. */
export function holdsUnnamed(schema: StructuralSchema): boolean {
  const { type, properties = {}, additionalProperties, items } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true) return true;
  if (schema['x-kubernetes-embedded-resource'] === true) return true;
  if (type === undefined && schema['x-kubernetes-int-or-string'] !== true) return true;
  const within = [...Object.values(properties), items, additionalProperties];
  return within.some((each) => typeof each === 'object' && holdsUnnamed(each));
}

/** Returns a finding for a change that does not reject any value that was accepted before. */
export function widened({ path }: Pick<SchemaPair, 'path'>, change: string, reason?: string): LocalFinding {
  return { path: path || '.', change, class: 'safe', reason: reason ?? 'all valid values stay valid' };
}

/** Returns the path of a field, an item or a value of a map. */
export function within(path: string, key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${key}]`;
}

/** Returns the CEL rules and the alternatives that the new definition declares on a value and on the enclosing values, as strings. */
export function describe({ after, around }: SchemaPair): readonly string[] {
  const { allOf, anyOf, oneOf, not } = after;
  const alternatives = [allOf, anyOf, oneOf, not].filter((each) => each !== undefined);
  const rules = (after['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
  const more = [...rules, ...alternatives.map((each) => stringifyJson(each))];
  return more.length === 0 ? around : [...around, ...more];
}

/** Returns the first rule or alternative that mentions a field. */
export function mentionOf(name: string, texts: readonly string[]): string | undefined {
  const escaped = name.replaceAll(/[^\w]/g, '\\$&');
  const word = new RegExp(`(^|[^\\w])${escaped}([^\\w]|$)`);
  return texts.find((text) => word.test(text));
}
