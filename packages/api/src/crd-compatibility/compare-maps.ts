import { ownValue } from '../schema/json-shape.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';
import { compareDefaults } from './compare-defaults.js';
import { compareFields, compareRequired } from './compare-fields.js';
import { type SchemaPair, describe, widened, within } from './schema-pair.js';

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const ANYTHING: StructuralSchema = { [PRESERVE]: true };
/** The schema of a value that the API server keeps. If the value is an object, the API server prunes all its fields. */
const EMPTY_OBJECT: StructuralSchema = { properties: {} };

/** Returns the changes of an object or a map: its fields, its required fields and its merge strategy. */
export function compareMaps(
  pair: SchemaPair,
  compare: (pair: SchemaPair) => readonly LocalFinding[],
): readonly LocalFinding[] {
  const around = describe(pair);
  const fields = namesIn(pair).flatMap((name) => {
    const [before, after] = [memberOf(pair.before, name), memberOf(pair.after, name)];
    if (before === undefined || after === undefined) return compareFields(pair, { name, before, after });
    const path = within(pair.path, name);
    return [...compareDefaults(pair, { name, before, after }), ...compare({ path, before, after, around })];
  });
  return [...compareUnnamed(pair, compare), ...fields, ...compareRequired(pair), ...compareMerging(pair)];
}

/** Returns the sorted names of the fields of either schema. Omits apiVersion and kind at the root, which are the same for all objects. */
function namesIn({ before, after, root = false }: SchemaPair): readonly string[] {
  const names = [...new Set([...Object.keys(before.properties ?? {}), ...Object.keys(after.properties ?? {})])];
  return names.filter((name) => !root || (name !== 'apiVersion' && name !== 'kind')).toSorted();
}

/** Returns the schema of a field, or undefined if the field is pruned. */
function memberOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  return ownValue(schema.properties, name) ?? unnamedOf(schema);
}

/** Returns the schema of the fields that a schema does not name, or undefined if such fields are pruned. */
function unnamedOf(schema: StructuralSchema): StructuralSchema | undefined {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') return additionalProperties;
  if (schema[PRESERVE] === true) return ANYTHING;
  if (additionalProperties === true) return EMPTY_OBJECT;
  return undefined;
}

function compareUnnamed(
  pair: SchemaPair,
  compare: (pair: SchemaPair) => readonly LocalFinding[],
): readonly LocalFinding[] {
  const [before, after] = [unnamedOf(pair.before), unnamedOf(pair.after)];
  if (before === undefined && after === undefined) return [];
  if (before !== undefined && after !== undefined) {
    return compare({ path: `${pair.path}[*]`, before, after, around: describe(pair) });
  }
  const [was, is] = [wordFor(pair.before), wordFor(pair.after)];
  if (before === undefined) {
    return [widened(pair, `${is} added`, 'the API server keeps fields that the schema does not name')];
  }
  const reason = 'the API server drops stored fields that the schema does not name';
  const remedy = `keep ${was}, or name every field that clients may have set`;
  return [{ path: pair.path || '.', change: `${was} removed`, class: 'breaking', reason, remedy }];
}

function wordFor(schema: StructuralSchema): string {
  return schema.additionalProperties === undefined ? PRESERVE : 'additionalProperties';
}

function compareMerging({ path, before, after }: SchemaPair): readonly LocalFinding[] {
  const key = 'x-kubernetes-map-type';
  const [was, is] = [before[key] ?? 'granular', after[key] ?? 'granular'];
  if (was === is) return [];
  const change = `${key} ${was} → ${is}`;
  if (is === 'granular') {
    return [widened({ path }, change, 'server-side apply then merges the value and no longer replaces it')];
  }
  const reason = 'server-side apply then replaces the whole value, and drops fields of other field managers';
  return [{ path, change, class: 'breaking', reason, remedy: `keep ${key}: granular` }];
}
