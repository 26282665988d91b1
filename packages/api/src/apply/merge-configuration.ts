import { isJsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { limitErrors } from '../schema/limit-errors.js';
import { type Atom, deduce, rootAtom } from './atom.js';
import { mergeValues } from './merge-values.js';
import { FieldTypeError } from './type-error.js';
import { valueErrors, valueErrorText } from './value-errors.js';

/** The result of a merge, or the error in the wording of the API server. */
export type MergedConfiguration = { readonly object: Readonly<Record<string, unknown>> } | { readonly error: string };

/**
 * Merges the apply configuration of a mutating admission policy into an object, according to the list and map types of the schema. Unlike
 * `applyServerSide`, does not change managedFields, and does not accept atomic lists and maps. Does not change the arguments.
 */
export function mergeConfiguration(
  live: Readonly<Record<string, unknown>>,
  configuration: Readonly<Record<string, unknown>>,
  schema: StructuralSchema,
): MergedConfiguration {
  const atom = rootAtom(schema);
  const { texts } = limitErrors(valueErrors(configuration, atom), valueErrorText);
  if (texts.length > 0) {
    const text = texts.length === 1 ? texts[0] : ['errors:', ...texts.map((each) => `  ${each}`)].join('\n');
    return { error: `failed to convert patch object to typed object: ${text}` };
  }
  const atomics = atomicPaths(configuration, atom, '');
  if (atomics.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    return { error: `invalid ApplyConfiguration: ${why}` };
  }
  try {
    const merged = mergeValues(live, configuration, atom);
    return { object: isJsonObject(merged) ? merged : {} };
  } catch (error) {
    if (!(error instanceof FieldTypeError)) throw error;
    return { error: `failed to merge patch: ${error.message}` };
  }
}

/**
 * Returns the paths of atomic lists and maps in a configuration. The path of a list item contains the index of the item, even if the list
 * has keys.
 */
function atomicPaths(value: unknown, atom: Atom, path: string): readonly string[] {
  const { map, list } = deduce(atom, value);
  if (map !== undefined && isJsonObject(value)) {
    const own = map.atomic ? [path] : [];
    const declared = Object.keys(value).filter((name) => map.declares(name));
    return declared.reduce<readonly string[]>((paths, name) => {
      const field = map.field(name);
      return field === undefined ? paths : [...paths, ...atomicPaths(value[name], field(), `${path}.${name}`)];
    }, own);
  }
  if (list === undefined || !Array.isArray(value)) return [];
  const own = list.atomic ? [path] : [];
  return [...own, ...value.flatMap((item, index) => atomicPaths(item, list.items(), `${path}[${index}]`))];
}
