import { isJsonObject } from '../json/json-object.js';
import { PatchError } from './patch-error.js';

/** One step of an RFC 6902 JSON patch. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

const MAX_OPERATIONS = 10_000;

/**
 * Returns the operations of a patch from a request, after a check of the structure. Reads a null patch as an empty list, and a null
 * operation as an empty object. Throws `PatchError` ('malformed' or 'tooLarge').
 */
export function readOperations(patch: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw cannotUnmarshal(patch, '[]handlers.jsonPatchOp');
  const operations = patch.map((operation: unknown) => {
    if (operation === null) return {};
    if (!isJsonObject(operation)) throw cannotUnmarshal(operation, 'handlers.jsonPatchOp');
    return operation;
  });
  if (operations.length > MAX_OPERATIONS) {
    const text = `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`;
    throw new PatchError('tooLarge', text);
  }
  return operations;
}

function cannotUnmarshal(value: unknown, type: string): PatchError {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new PatchError(
    'malformed',
    `error decoding patch: json: cannot unmarshal ${kind} into Go value of type ${type}`,
  );
}
