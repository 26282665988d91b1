import { isJsonObject, withField } from '../json/json-object.js';
import { deepEqual } from './deep-equal.js';
import { readOperations } from './json-patch-operation.js';
import { arrayIndex, lookUp, missing, readKey, replaceContainer, type Container } from './json-pointer.js';
import { PatchError } from './patch-error.js';

type Operation = Readonly<Record<string, unknown>>;

/**
 * Applies an RFC 6902 JSON patch, all operations or none. `operations` may be what came over the wire. The document is
 * not changed; what no operation touches is shared with the result. Throws `PatchError`.
 *
 * Where Kubernetes departs from the RFC this does too: negative indices count from the end, `replace` sets an absent
 * field, `test` finds null in an absent field, and the whole document can only be replaced or tested.
 */
export function applyJsonPatch(document: unknown, operations: unknown): unknown {
  return readOperations(operations).reduce<unknown>(applyOperation, document);
}

function applyOperation(document: unknown, operation: Operation): unknown {
  switch (operation['op']) {
    case 'add':
      return add(document, pathOf(operation, 'add'), { verb: 'add', value: operation['value'] ?? null });
    case 'remove':
      return remove(document, pathOf(operation, 'remove'));
    case 'replace':
      return replace(document, pathOf(operation, 'replace'), operation['value'] ?? null);
    case 'move':
      return move(document, operation);
    case 'copy':
      return copy(document, operation);
    case 'test':
      return check(document, pathOf(operation, 'test'), operation['value'] ?? null);
    default: {
      const kind = typeof operation['op'] === 'string' ? operation['op'] : 'unknown';
      throw new PatchError('doesNotApply', `Unexpected kind: ${kind}`);
    }
  }
}

function pathOf(operation: Operation, verb: string): string {
  const path = operation['path'];
  if (typeof path === 'string') return path;
  throw missing(`${verb} operation failed to decode path: operation missing path field`);
}

function fromOf(operation: Operation, verb: string): string {
  const from = operation['from'];
  if (typeof from === 'string') return from;
  throw missing(`${verb} operation failed to decode from: operation, missing from field`);
}

function add(document: unknown, path: string, { verb, value }: { verb: string; value: unknown }): unknown {
  const found = lookUp(document, path);
  if (found === undefined) {
    if (verb === 'add') throw missing(`add operation does not apply: doc is missing path: "${path}"`);
    throw missing(`${verb} operation does not apply: doc is missing destination path: ${path}`);
  }
  const words = verb === 'copy' ? 'error while adding value during copy' : `error in ${verb} for path: '${path}'`;
  return replaceContainer(
    document,
    path,
    explain(words, () => inserted(found.container, found.key, value)),
  );
}

function remove(document: unknown, path: string): unknown {
  const found = lookUp(document, path);
  if (found === undefined) throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
  const container = explain(`error in remove for path: '${path}'`, () => without(found.container, found.key));
  return replaceContainer(document, path, container);
}

function replace(document: unknown, path: string, value: unknown): unknown {
  if (path === '') {
    if (isJsonObject(value) || Array.isArray(value)) return value;
    throw new PatchError('doesNotApply', 'replace operation value must be object or array');
  }
  const found = lookUp(document, path);
  if (found === undefined) throw missing(`replace operation does not apply: doc is missing path: ${path}`);
  const { container, key } = found;
  if (isJsonObject(container)) return replaceContainer(document, path, withField(container, key, value));
  const index = indexOr(container, key, `replace operation does not apply: doc is missing key: ${path}`);
  return replaceContainer(document, path, container.with(index, value));
}

function move(document: unknown, operation: Operation): unknown {
  const from = fromOf(operation, 'move');
  const found = lookUp(document, from);
  if (found === undefined) throw missing(`move operation does not apply: doc is missing from path: ${from}`);
  const { container, key } = found;
  const words = `error in move for path: '${key}'`;
  const value = explain(words, () => readKey(container, key));
  const rest = replaceContainer(
    document,
    from,
    explain(words, () => without(container, key)),
  );
  return add(rest, pathOf(operation, 'move'), { verb: 'move', value });
}

function copy(document: unknown, operation: Operation): unknown {
  const from = fromOf(operation, 'copy');
  const found = lookUp(document, from);
  if (found === undefined) throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
  const value = explain(`error in copy for from: '${from}'`, () => readKey(found.container, found.key)) ?? null;
  return add(document, pathOf(operation, 'copy'), { verb: 'copy', value });
}

function check(document: unknown, path: string, expected: unknown): unknown {
  if (!deepEqual(valueToTest(document, path), expected)) {
    throw new PatchError('doesNotApply', `testing value ${path} failed: test failed`);
  }
  return document;
}

function valueToTest(document: unknown, path: string): unknown {
  if (path === '') return document;
  const found = lookUp(document, path);
  if (found === undefined) throw missing(`test operation does not apply: is missing path: ${path}`);
  return explain(`error in test for path: '${path}'`, () => readKey(found.container, found.key)) ?? null;
}

function inserted(container: Container, key: string, value: unknown): Container {
  if (isJsonObject(container)) return withField(container, key, value);
  if (key === '-') return [...container, value];
  if (!/^[+-]?[0-9]+$/.test(key)) {
    const cause = `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
    throw new PatchError('doesNotApply', `value was not a proper array index: '${key}': ${cause}`);
  }
  return container.toSpliced(arrayIndex(key, container.length + 1), 0, value);
}

function without(container: Container, key: string): Container {
  if (!isJsonObject(container)) return container.toSpliced(arrayIndex(key, container.length), 1);
  if (!Object.hasOwn(container, key)) throw missing(`Unable to remove nonexistent key: ${key}`);
  const { [key]: _removed, ...rest } = container;
  return rest;
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
