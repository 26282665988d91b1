import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '@kubewright/api/json';
import type { KeptField } from './kept-fields.js';

/** The annotation with the values that the current version of an object cannot represent, by version. */
export const CONVERSION_ANNOTATION = 'kubewright.dev/conversion';

/** The kept values of an object, by the version that can represent them. */
export type KeptByVersion = Readonly<Record<string, readonly KeptField[]>>;

/** Returns the kept values in the metadata of an object. Ignores an annotation that is not valid, because users can change it. */
export function readKept(metadata: unknown): KeptByVersion {
  const text = isJsonObject(metadata) && isJsonObject(metadata['annotations']) ? textIn(metadata['annotations']) : '';
  if (text === '') return {};
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return {};
    const valid = Object.entries(value).filter(([, fields]) => Array.isArray(fields) && fields.every(isKeptField));
    return Object.fromEntries(valid) as KeptByVersion;
  } catch {
    return {};
  }
}

/** Returns metadata with an annotation that contains the kept values. Without kept values, returns metadata without the annotation. */
export function withKept(metadata: unknown, kept: KeptByVersion): unknown {
  const versions = Object.entries(kept).filter(([, fields]) => fields.length > 0);
  if (versions.length === 0 && isJsonObject(metadata)) {
    const { annotations } = metadata;
    if (annotations === undefined || (isJsonObject(annotations) && !(CONVERSION_ANNOTATION in annotations)))
      return metadata;
  }
  const { annotations, ...rest } = isJsonObject(metadata) ? metadata : {};
  const { [CONVERSION_ANNOTATION]: _, ...others } = isJsonObject(annotations) ? annotations : {};
  if (versions.length > 0) {
    const text = stringifyJson(Object.fromEntries(versions));
    return { ...rest, annotations: { ...others, [CONVERSION_ANNOTATION]: text } };
  }
  // An object that had no other annotations must not get an empty map.
  return Object.keys(others).length > 0 ? { ...rest, annotations: others } : rest;
}

function textIn(annotations: JsonObject): string {
  const text = Object.hasOwn(annotations, CONVERSION_ANNOTATION) ? annotations[CONVERSION_ANNOTATION] : '';
  return typeof text === 'string' ? text : '';
}
function isKeptField(field: unknown): boolean {
  return isJsonObject(field) && Array.isArray(field['path']) && field['path'].length > 0 && field['path'].every(isStep);
}
function isStep(step: unknown): boolean {
  if (typeof step === 'string') return true;
  return isJsonObject(step) && (typeof step['name'] === 'string' || Number.isInteger(step['index']));
}
