import { createHash } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import { isJsonObject } from '@kubewright/api/json';
import { stringifyJson } from '@kubewright/api/json';
import { describe } from '../../client/requests/target.js';
import type { SentWrite, Write } from '../../client/scope/write.js';
import { changedFields, type FieldPath } from '../watches/changed-paths.js';

/** A field that a write changed, or tried to change. */
export interface WrittenField {
  readonly object: KubeObject;
  /** The kind and key, such as 'Deployment default/web'. */
  readonly name: string;
  /** The path of the field. Empty if the write created the object. */
  readonly path: FieldPath;
  /** The JSON text of the requested value, or its digest if the text is long. Compares the values of several writes. */
  readonly value: string;
  /** Returns the text or digest of the value before the write. Undefined if the write created the object. */
  readonly before?: () => string;
  /** Whether the write changed the object. If false, the server did not store the requested value. */
  readonly kept: boolean;
}

/** The maximum length of a text that is kept without a digest, because a digest takes longer than the comparison of short texts. */
const LONGEST_TEXT = 64;

/** Fields that change as a consequence of other changes. They are returned only if no other field changed. */
const IGNORED_FIELDS = new Set(['status.observedGeneration', 'status.conditions']);

/**
 * Returns the fields that a write changed. For a created object, returns one field with an empty path. If the write changed nothing,
 * returns the requested fields that have another value on the server. Returns an empty list for a delete, and if the fields cannot be
 * determined.
 */
export function writtenFields({ verb, object }: Write, sent: SentWrite | undefined): readonly WrittenField[] {
  if (sent === undefined || verb === 'delete') return [];
  const { body, before } = sent;
  const name = describe(object.kind, object.metadata);
  if (before === undefined) {
    return verb === 'create' || verb === 'apply' ? [{ object, name, path: [], value: digestOf(body), kept: true }] : [];
  }
  const kept = before.metadata.resourceVersion !== object.metadata.resourceVersion;
  const paths = kept
    ? changedFields(requestedOf(before, body), requestedOf(object, body)).filter((path) => isRequestedFor(path, body))
    : fieldsThatDiffer(body, object);
  const significant = paths.filter((path) => !IGNORED_FIELDS.has(path.join('.')));
  const from = kept ? object : body;
  return (significant.length > 0 ? significant : paths).map((path) => ({
    object,
    name,
    path,
    value: digestOf(valueAt(from, path)),
    before: () => digestOf(valueAt(before, path)),
    kept,
  }));
}

/** Returns the fields of an apply or a merge patch that have another value on the server than requested. Ignores lists. */
function fieldsThatDiffer(body: unknown, object: object): readonly FieldPath[] {
  const paths: FieldPath[] = [];
  const visit = (requested: unknown, now: unknown, path: FieldPath): void => {
    if (isJsonObject(requested) && isJsonObject(now)) {
      for (const [key, value] of Object.entries(requested)) visit(value, now[key], [...path, key]);
    } else if (!Array.isArray(requested) && requested !== now && !(requested === null && now === undefined))
      paths.push(path);
  };
  visit(body, object, []);
  return paths;
}

/** Returns the top-level fields of an object that the body of the write contains, so that the other fields are not compared. */
function requestedOf(object: object, body: unknown): object {
  if (!isJsonObject(body)) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => Object.hasOwn(body, name)));
}

/** Whether the body of the write contains this path. Other changed paths in the response are changes of other writers. */
function isRequestedFor(path: FieldPath, body: unknown): boolean {
  let at = body;
  for (const name of path) {
    if (!isJsonObject(at)) break;
    at = at[name];
  }
  return at !== undefined;
}

function valueAt(object: unknown, path: FieldPath): unknown {
  let at = object;
  for (const name of path) at = isJsonObject(at) ? at[name] : undefined;
  return at;
}
/** Returns the JSON text of a value, or a digest of a long text, so that histories of many fields need little memory. */
function digestOf(value: unknown): string {
  const text = stringifyJson(value ?? null);
  if (text.length <= LONGEST_TEXT) return text;
  return `sha256:${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}
