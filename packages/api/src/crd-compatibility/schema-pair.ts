import { stringifyJson } from '../json/stringify-json.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';

/** One place of the objects of a kind, and what two versions of its definition say about it. */
export interface SchemaPair {
  readonly path: string;
  readonly before: StructuralSchema;
  readonly after: StructuralSchema;
  /** What the new definition says of the values around this one: texts of rules and of alternatives. */
  readonly around: readonly string[];
  /** Whether it is a whole object. What stands there is never unchanged, since its metadata changes with each write. */
  readonly root?: boolean;
}

/** Says that a value may be refused which was accepted before. The server lets be what is stored and does not change. */
export function tightened(
  { path, after, root = false }: Pick<SchemaPair, 'path' | 'after' | 'root'>,
  change: string,
  cure = 'accept what was accepted before, and let the controller report what it cannot work with as a condition',
): LocalFinding {
  if (root) {
    const reason = 'each change to an object changes the whole of it, so even one to its labels is refused';
    return { path: path || '.', change, class: 'breaking', reason, cure };
  }
  if (holdsUnnamed(after)) {
    const reason =
      'fields that the schema does not name count as changed at every update, and so does this value with them';
    return { path, change, class: 'breaking', reason, cure };
  }
  const reason = 'new values are refused; an object that is stored can be changed as long as this value stays as it is';
  return { path, change, class: 'ratcheted', reason, cure };
}

/** Whether a value may hold fields that the schema does not name. */
export function holdsUnnamed(schema: StructuralSchema): boolean {
  const { type, properties = {}, additionalProperties, items } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true) return true;
  if (schema['x-kubernetes-embedded-resource'] === true) return true;
  if (type === undefined && schema['x-kubernetes-int-or-string'] !== true) return true;
  const within = [...Object.values(properties), items, additionalProperties];
  return within.some((each) => typeof each === 'object' && holdsUnnamed(each));
}

/** Says that nothing which was accepted is refused. */
export function widened({ path }: Pick<SchemaPair, 'path'>, change: string, reason?: string): LocalFinding {
  return { path: path || '.', change, class: 'safe', reason: reason ?? 'all that was accepted still is' };
}

/** The path of a field, an item or a value of a map. */
export function within(path: string, key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${key}]`;
}

/** What the new definition says about a value and all that is within it, for those who look from below. */
export function spokenOf({ after, around }: SchemaPair): readonly string[] {
  const { allOf, anyOf, oneOf, not } = after;
  const alternatives = [allOf, anyOf, oneOf, not].filter((each) => each !== undefined);
  const rules = (after['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
  const more = [...rules, ...alternatives.map((each) => stringifyJson(each))];
  return more.length === 0 ? around : [...around, ...more];
}

/** The first rule or alternative that names a field. */
export function mentionOf(name: string, texts: readonly string[]): string | undefined {
  const escaped = name.replaceAll(/[^\w]/g, '\\$&');
  const word = new RegExp(`(^|[^\\w])${escaped}([^\\w]|$)`);
  return texts.find((text) => word.test(text));
}
