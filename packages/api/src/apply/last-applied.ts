import { InvalidJsonError } from '../json/invalid-json-error.js';
import { isJsonObject } from '../json/json-object.js';
import { parseJson } from '../json/parse-json.js';
import { stringifyJson } from '../json/stringify-json.js';
import type { Atom } from './atom.js';
import { compareValues } from './compare-values.js';
import { withoutManagedFields } from './managed-fields.js';
import { ownedFields } from './owned-fields.js';
import { pathText } from './path-element.js';
import type { Steps } from './steps.js';
import { FieldTypeError } from './type-error.js';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns the paths of the fields that kubectl applied on the client side and that still have the applied values. Returns no paths if the
 * annotation is missing or invalid, or if it has another apiVersion than the object.
 */
export function* fieldsOfLastApplied(live: Readonly<Record<string, unknown>>, atom: Atom): Steps<ReadonlySet<string>> {
  const text = annotationsOf(live)[ANNOTATION];
  if (typeof text !== 'string' || text === '') return new Set();
  try {
    const applied = parseJson(text);
    if (!isJsonObject(applied) || applied['apiVersion'] !== live['apiVersion']) return new Set();
    const { modified, added, removed } = yield* compareValues(applied, withoutManagedFields(live), atom);
    const own = ownedFields(applied, atom).difference(modified).difference(added).difference(removed);
    return new Set([...own.paths()].map(pathText));
  } catch (error) {
    if (error instanceof FieldTypeError || error instanceof InvalidJsonError) return new Set();
    throw error;
  }
}

/**
 * Returns the object with the applied configuration in the annotation of client-side apply. Returns the object unchanged if the manager is
 * not kubectl, or if the annotation is missing or empty.
 */
export function withLastApplied(
  object: Record<string, unknown>,
  { applied, manager }: { readonly applied: object; readonly manager: string },
): Record<string, unknown> {
  const annotations = annotationsOf(object);
  if (manager !== 'kubectl' || !annotations[ANNOTATION]) return object;
  const metadata = object['metadata'] as Record<string, unknown>;
  const value = `${stringifyJson(sortKeys(withoutAnnotation(applied)))}\n`;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [ANNOTATION]: value } } };
}

function withoutAnnotation(applied: object): object {
  const { metadata, ...rest } = applied as Record<string, unknown>;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return applied;
  const { [ANNOTATION]: _dropped, ...annotations } = metadata['annotations'];
  return { ...rest, metadata: { ...metadata, annotations } };
}

function annotationsOf(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const metadata = object['metadata'];
  return isJsonObject(metadata) && isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
}

/** Sorts the keys of all maps, because kubectl sorts the keys in the annotation. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => [key, sortKeys(field)]),
  );
}
