import { textOf, type Tree, treeOf } from './mutate-json.js';
import type { FuzzRequest } from './mutate-request.js';

/** Yields smaller requests: without the query, or without one field or some items of the body. Outer parts come first. */
export function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  const [path = '', query] = request.path.split('?');
  if (query !== undefined) yield { ...request, path };
  const tree = typeof request.body === 'string' ? treeOf(request.body) : undefined;
  if (tree === undefined) return;
  for (const smaller of withoutPart(tree)) yield { ...request, body: textOf(smaller) };
}

function* withoutPart(tree: Tree): Generator<Tree> {
  if ('raw' in tree) return;
  if ('list' in tree) {
    const { list } = tree;
    if (list.length > 8) yield { list: list.slice(0, list.length / 2) };
    for (const at of list.keys()) yield { list: list.toSpliced(at, 1) };
    for (const [at, item] of list.entries())
      for (const smaller of withoutPart(item)) yield { list: list.with(at, smaller) };
    return;
  }
  const { map } = tree;
  if (map.length > 8) yield { map: map.slice(0, map.length / 2) };
  for (const at of map.keys()) yield { map: map.toSpliced(at, 1) };
  for (const [at, [key, child]] of map.entries()) {
    for (const smaller of withoutPart(child)) yield { map: map.with(at, [key, smaller]) };
  }
}
