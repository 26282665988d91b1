import type { StructuralSchema } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';
import { type SchemaPair, widened } from './schema-pair.js';

/** The type of values that a schema allows: a JSON type, 'int-or-string', or 'anything'. */
export type ValueType = string;

const WIDER: Readonly<Record<ValueType, readonly ValueType[]>> = {
  integer: ['number', 'int-or-string'],
  string: ['int-or-string'],
};

/** Returns the type of the values of a schema. */
export function typeOf(schema: StructuralSchema): ValueType {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return schema.type || 'anything';
}

/** Returns the effects of a changed type, and whether the other keywords of the two schemas are comparable. */
export function compareTypes(pair: SchemaPair): {
  readonly findings: readonly LocalFinding[];
  readonly comparable: boolean;
} {
  const [before, after] = [typeOf(pair.before), typeOf(pair.after)];
  if (before === after) return { findings: embeddings(pair), comparable: true };
  const change = `type ${before} → ${after}`;
  if (after === 'anything' || WIDER[before]?.includes(after) === true) {
    const reason = `${nounOf(before)} are still valid; clients may read values of another type`;
    return { findings: [widened(pair, change, reason), ...embeddings(pair)], comparable: true };
  }
  const reason = 'stored values have the old type: clients cannot read them, and server-side apply rejects the object';
  const remedy = 'keep the field, add a field with the new type and a different name, and read both in the controller';
  return { findings: [{ path: pair.path || '.', change, class: 'breaking', reason, remedy }], comparable: false };
}

function nounOf(type: ValueType): string {
  return type === 'int-or-string'
    ? 'integers and strings'
    : type === 'anything'
      ? 'values of any type'
      : `values of type ${type}`;
}

/**
 * Returns the effect if a value becomes an embedded resource or stops being one. The API server checks at every update that an embedded
 * resource has an apiVersion, a kind and valid metadata.
 */
function embeddings({ path, before, after }: SchemaPair): readonly LocalFinding[] {
  const key = 'x-kubernetes-embedded-resource';
  const [was, is] = [before[key] === true, after[key] === true];
  if (was === is) return [];
  if (is) {
    const reason = 'every update of a value without apiVersion and kind, or with invalid metadata, is rejected';
    const remedy =
      'validate the value with a CEL rule on the field, because the API server accepts unchanged stored values';
    return [{ path, change: `${key} added`, class: 'breaking', reason, remedy }];
  }
  const change = `${key} removed`;
  if (after['x-kubernetes-preserve-unknown-fields'] === true) return [widened({ path }, change)];
  const reason = 'the API server drops apiVersion, kind and metadata of stored values, unless the schema names them';
  const remedy = `keep ${key}, or set x-kubernetes-preserve-unknown-fields`;
  return [{ path, change, class: 'breaking', reason, remedy }];
}
