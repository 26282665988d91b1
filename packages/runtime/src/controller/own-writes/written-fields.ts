import { createHash } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import { isJsonObject, type JsonObject, stringifyJson } from '@kubewright/api/json';
import { describe } from '../../client/requests/target.js';
import type { SentWrite, Write } from '../../client/scope/write.js';
import { deepEqual } from '@kubewright/api/patch';
import { DEEPEST, type FieldPath, isSilent, MOST_PATHS } from '../watches/changed-paths.js';

/** A field that a write changed, or tried to change. */
export interface WrittenField {
  readonly object: KubeObject;
  /** The kind and key, such as 'Deployment default/web'. */
  readonly name: string;
  /** The path of the field. Empty if the write created the object. */
  readonly path: FieldPath;
  /** The JSON text of the requested value, or its digest if the text is long. Used to compare the values of several writes. */
  readonly value: string;
  /** Returns the text or digest of the value before the write. Undefined if the write created the object. */
  before?(): string;
  /** Whether the write changed the object. If false, the server did not store the requested value. */
  readonly kept: boolean;
}

/** The maximum length of a text that is kept without a digest, because a digest takes longer than the comparison of short texts. */
const LONGEST_TEXT = 64;

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
  const search = new FieldSearch();
  if (kept) search.changed(body, before, object);
  else search.notStored(body, before, object);
  const of = { object, name, kept };
  return search.significant.map((found) => new ChangedField(of, found));
}

/** A field of an object that existed before the write. */
class ChangedField implements WrittenField {
  readonly object: KubeObject;
  readonly name: string;
  readonly path: FieldPath;
  readonly value: string;
  readonly kept: boolean;
  readonly #old: unknown;

  constructor(
    { object, name, kept }: Pick<WrittenField, 'object' | 'name' | 'kept'>,
    { path, value, old }: FoundField,
  ) {
    this.object = object;
    this.name = name;
    this.path = path;
    this.value = digestOf(value);
    this.kept = kept;
    this.#old = old;
  }

  before(): string {
    return digestOf(this.#old);
  }
}

/** A field with the written value, and with the value before the write. */
interface FoundField {
  readonly path: FieldPath;
  readonly value: unknown;
  readonly old: unknown;
}

/**
 * Finds the fields of one write. Compares only fields that the body of the write contains, because other writers made the other changes.
 */
class FieldSearch {
  readonly #found: FoundField[] = [];
  readonly #path: string[] = [];
  #consequences = 0;

  /** The found fields. Omits fields that change as a consequence of other changes, except if no other field was found. */
  get significant(): readonly FoundField[] {
    const all = this.#found;
    return this.#consequences === 0 || this.#consequences === all.length
      ? all
      : all.filter(({ path }) => !isConsequence(path));
  }

  /** Finds the requested fields that differ between two versions. Finds up to 10 fields with up to 4 levels, and metadata last. */
  changed(body: unknown, old: unknown, now: unknown): void {
    if (old === now || body === undefined || this.#found.length >= MOST_PATHS || isSilent(this.#path)) return;
    if (!isJsonObject(old) || !isJsonObject(now) || this.#path.length === DEEPEST) {
      if (!deepEqual(old, now)) this.#add(now, old);
      return;
    }
    const last = this.#path.length === 0 ? 'metadata' : undefined;
    for (const name in old) if (name !== last) this.#changedAt(name, body, [old, now]);
    for (const name in now) if (name !== last && !Object.hasOwn(old, name)) this.#changedAt(name, body, [old, now]);
    if (last !== undefined) this.#changedAt(last, body, [old, now]);
  }
  #changedAt(name: string, body: unknown, [old, now]: readonly [JsonObject, JsonObject]): void {
    if (old[name] === now[name]) return;
    this.#path.push(name);
    this.changed(isJsonObject(body) ? body[name] : body, old[name], now[name]);
    this.#path.pop();
  }

  /** Finds the fields of an apply or a merge patch that have another value on the server than requested. Ignores lists. */
  notStored(body: unknown, old: unknown, now: unknown): void {
    if (isJsonObject(body) && isJsonObject(now)) {
      for (const name in body) {
        this.#path.push(name);
        this.notStored(body[name], isJsonObject(old) ? old[name] : undefined, now[name]);
        this.#path.pop();
      }
    } else if (!Array.isArray(body) && body !== now && !(body === null && now === undefined)) this.#add(body, old);
  }

  #add(value: unknown, old: unknown): void {
    if (isConsequence(this.#path)) this.#consequences++;
    this.#found.push({ path: this.#path.slice(), value, old });
  }
}

/** Whether a field changes as a consequence of other changes. */
function isConsequence(path: FieldPath): boolean {
  const [first, second] = path;
  return path.length === 2 && first === 'status' && (second === 'observedGeneration' || second === 'conditions');
}

/** Returns the JSON text of a value, or a digest of a long text, so that histories of many fields need little memory. */
function digestOf(value: unknown): string {
  const text = stringifyJson(value ?? null);
  if (text.length <= LONGEST_TEXT) return text;
  return `sha256:${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}
