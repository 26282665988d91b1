import { fieldErrors, type StructuralSchema } from '@kubewright/api/schema';
import type { JsonDraft } from '../objects/api-object.js';
import { isObject } from '../objects/json-object.js';
import { GoTypes } from '../cluster-data/go-types.js';
import { TypedReader, UnreadableError } from './typed-reader.js';

const types = new GoTypes();

/**
 * Reads the apiVersion, kind and metadata of each embedded resource in place, as `decode` does for whole objects. apiVersion and kind must
 * be strings, and null metadata is the same as unset metadata. Throws an UnreadableError that names the first unreadable field.
 */
export function readEmbedded(value: unknown, schema: StructuralSchema | undefined, path = ''): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) readEmbedded(item, schema.items, `${path}[${at}]`);
    return;
  }
  if (!isObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true) readOwn(value, path);
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  for (const [key, child] of Object.entries(value)) {
    const declared = schema.properties?.[key];
    const at = declared === undefined ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`;
    readEmbedded(child, declared ?? others, at);
  }
}

function readOwn(resource: JsonDraft, path: string): void {
  for (const name of ['apiVersion', 'kind']) {
    const value = resource[name];
    if (value !== undefined && typeof value !== 'string')
      throw unreadable(`${path}.${name}`, value, 'must be a string');
  }
  if (resource['metadata'] === null) resource['metadata'] = {};
  const { metadata } = resource;
  if (metadata === undefined) return;
  const shown = structuredClone(metadata);
  try {
    new TypedReader(types).read(metadata as JsonDraft, types.objectMeta);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw unreadable(`${path}.metadata`, shown, error.message);
  }
}

function unreadable(path: string, value: unknown, why: string): UnreadableError {
  const { field, message } = fieldErrors.invalid(path, value, why);
  return new UnreadableError(`${field}: ${message}`);
}
