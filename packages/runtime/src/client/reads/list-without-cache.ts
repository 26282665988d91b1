import type { KindRef, KubeObject } from '@kubewright/api';
import { kindName } from '../../cache/selection/kind-name.js';
import { declarationOf, type Index, unknownIndex } from '../../cache/store/index-declaration.js';
import type { ListOptions } from '../../cache/store/list-options.js';
import { ObjectIndex } from '../../cache/store/object-index.js';
import type { ApiReader } from './api-reader.js';
import { currentScope } from '../scope/reconcile-scope.js';

/**
 * Lists objects from the API server for a client that does not read the kind from the cache. If the list names an index and the scope of
 * the current reconcile has indexes, reads all objects and filters them by the index. Throws UNKNOWN_INDEX if the scope does not contain
 * the index, and INDEX_NEEDS_CACHE if the scope has no indexes.
 */
export async function listWithoutCache<T extends KubeObject>(
  reader: ApiReader,
  kind: KindRef<T>,
  options: ListOptions<NoInfer<T>>,
): Promise<readonly T[]> {
  const { index, limit, ...rest } = options;
  const declared = currentScope()?.indexes;
  if (index === undefined || declared === undefined) return reader.readAll(kind, options);
  const indexes = declared.filter((one) => kindName(declarationOf(one).kind) === kindName(kind));
  const tests = [index].flat().map(({ name, value }) => {
    const held = objectIndex<T>(indexes, name);
    return (object: T) => held.matches(object, value);
  });
  const found = (await reader.readAll(kind, rest)).filter((object) => tests.every((holds) => holds(object)));
  return Object.freeze(found.slice(0, limit));
}

function objectIndex<T>(indexes: readonly Index<KubeObject>[], name: string): ObjectIndex<T> {
  const index = indexes.find((one) => one.name === name);
  if (index === undefined) {
    throw unknownIndex(
      name,
      indexes.map((one) => one.name),
    );
  }
  return new ObjectIndex<T>(declarationOf(index).values as (object: T) => string, () => undefined);
}
