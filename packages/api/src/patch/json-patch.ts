import { finish, type Steps } from '../apply/steps.js';
import { getField, isJsonObject, setField } from '../json/json-object.js';
import { parseJson } from '../json/parse-json.js';
import { stringifyJson } from '../json/stringify-json.js';
import { deepEqual } from './deep-equal.js';
import { readOperations } from './json-patch-operation.js';
import { arrayIndex, type Container, missing, PatchedDocument, readKey } from './patched-document.js';
import { PatchError } from './patch-error.js';

type Operation = Readonly<Record<string, unknown>>;

/** The maximum total size in bytes of the values that the copy operations of one patch add. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * Applies an RFC 6902 JSON patch: all operations or none. `operations` can be unvalidated input from a request. Does not change the
 * document. The result shares unpatched values with the document. Throws `PatchError`.
 *
 * The function differs from the RFC in the same ways as Kubernetes:
 * - negative indices count from the end;
 * - `replace` adds an absent field;
 * - `test` treats an absent field as null;
 * - the whole document can only be replaced or tested;
 * - all copy operations together can copy at most 3 MiB.
 */
export function applyJsonPatch(document: unknown, operations: unknown): unknown {
  return finish(applyJsonPatchSteps(document, operations));
}

/** Applies a JSON patch in steps, one per operation. Calls `onCopy` with the value of a copy operation before the value is copied. */
export function* applyJsonPatchSteps(
  document: unknown,
  operations: unknown,
  { onCopy = () => undefined }: { readonly onCopy?: (value: unknown) => void } = {},
): Steps<unknown> {
  const run = new PatchRun(document, onCopy);
  for (const operation of readOperations(operations)) {
    run.apply(operation);
    yield;
  }
  return run.result;
}

/** One application of a patch to a document. */
class PatchRun {
  readonly #document: PatchedDocument;
  readonly #onCopy: (value: unknown) => void;
  #copiedBytes = 0;

  constructor(document: unknown, onCopy: (value: unknown) => void) {
    this.#document = new PatchedDocument(document);
    this.#onCopy = onCopy;
  }

  get result(): unknown {
    return this.#document.root;
  }

  apply(operation: Operation): void {
    switch (operation['op']) {
      case 'add':
        return this.#add(pathOf(operation, 'add'), { verb: 'add', value: operation['value'] ?? null });
      case 'remove':
        return this.#remove(pathOf(operation, 'remove'));
      case 'replace':
        return this.#replace(pathOf(operation, 'replace'), operation['value'] ?? null);
      case 'move':
        return this.#move(operation);
      case 'copy':
        return this.#copy(operation);
      case 'test':
        return this.#test(pathOf(operation, 'test'), operation['value'] ?? null);
      default: {
        const kind = typeof operation['op'] === 'string' ? operation['op'] : 'unknown';
        throw new PatchError('doesNotApply', `Unexpected kind: ${kind}`);
      }
    }
  }

  #add(path: string, { verb, value }: { readonly verb: string; readonly value: unknown }): void {
    const found = this.#document.toWrite(path);
    if (found === undefined) {
      if (verb === 'add') throw missing(`add operation does not apply: doc is missing path: "${path}"`);
      throw missing(`${verb} operation does not apply: doc is missing destination path: ${path}`);
    }
    const words = verb === 'copy' ? 'error while adding value during copy' : `error in ${verb} for path: '${path}'`;
    explain(words, () => insert(found.container, found.key, value));
  }

  #remove(path: string): void {
    const found = this.#document.toWrite(path);
    if (found === undefined) throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
    explain(`error in remove for path: '${path}'`, () => take(found.container, found.key));
  }

  #replace(path: string, value: unknown): void {
    if (path === '') {
      if (!isJsonObject(value) && !Array.isArray(value)) {
        throw new PatchError('doesNotApply', 'replace operation value must be object or array: %!w(<nil>)');
      }
      this.#document.root = value;
      return;
    }
    const found = this.#document.toWrite(path);
    if (found === undefined) throw missing(`replace operation does not apply: doc is missing path: ${path}`);
    const { container, key } = found;
    if (!Array.isArray(container)) return setField(container, key, value);
    container[indexOr(container, key, `replace operation does not apply: doc is missing key: ${path}`)] = value;
  }

  #move(operation: Operation): void {
    const from = fromOf(operation, 'move');
    const found = this.#document.toWrite(from);
    if (found === undefined) throw missing(`move operation does not apply: doc is missing from path: ${from}`);
    const { container, key } = found;
    const value = explain(`error in move for path: '${key}'`, () => take(container, key));
    this.#add(pathOf(operation, 'move'), { verb: 'move', value });
  }

  #copy(operation: Operation): void {
    const from = fromOf(operation, 'copy');
    const found = this.#document.toRead(from);
    if (found === undefined) throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
    const value = explain(`error in copy for from: '${from}'`, () => readKey(found.container, found.key)) ?? null;
    this.#onCopy(value);
    const text = stringifyJson(value);
    this.#copiedBytes += Buffer.byteLength(text);
    if (this.#copiedBytes > MAX_COPIED_BYTES) {
      const why = `the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`;
      throw new PatchError('doesNotApply', `Unable to copy, ${why}`);
    }
    this.#add(pathOf(operation, 'copy'), { verb: 'copy', value: parseJson(text) });
  }

  #test(path: string, expected: unknown): void {
    if (!deepEqual(this.#valueToTest(path), expected)) {
      throw new PatchError('doesNotApply', `testing value ${path} failed: test failed`, { isFailedTest: true });
    }
  }

  #valueToTest(path: string): unknown {
    if (path === '') return this.#document.root;
    const found = this.#document.toRead(path);
    if (found === undefined) throw missing(`test operation does not apply: is missing path: ${path}`);
    return explain(`error in test for path: '${path}'`, () => readKey(found.container, found.key)) ?? null;
  }
}

function pathOf(operation: Operation, verb: string): string {
  const path = operation['path'];
  if (typeof path === 'string') return path;
  throw missing(`${verb} operation failed to decode path`);
}

function fromOf(operation: Operation, verb: string): string {
  const from = operation['from'];
  if (typeof from === 'string') return from;
  throw missing(`${verb} operation failed to decode from: operation, missing from field`);
}

function insert(container: Container, key: string, value: unknown): void {
  if (!Array.isArray(container)) return setField(container, key, value);
  if (key === '-') return void container.push(value);
  if (!/^[+-]?[0-9]+$/.test(key)) {
    const cause = `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
    throw new PatchError('doesNotApply', `value was not a proper array index: '${key}': ${cause}`);
  }
  container.splice(arrayIndex(key, container.length + 1), 0, value);
}

/** Removes the value of a key and returns it. */
function take(container: Container, key: string): unknown {
  if (Array.isArray(container)) return container.splice(arrayIndex(key, container.length), 1)[0];
  if (!Object.hasOwn(container, key)) throw missing(`Unable to remove nonexistent key: ${key}`);
  const value = getField(container, key);
  delete container[key];
  return value;
}

function indexOr(container: readonly unknown[], key: string, words: string): number {
  try {
    return arrayIndex(key, container.length);
  } catch (error) {
    if (error instanceof PatchError) throw missing(words);
    throw error;
  }
}

function explain<T>(words: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof PatchError) throw new PatchError(error.kind, `${words}: ${error.message}`);
    throw error;
  }
}
