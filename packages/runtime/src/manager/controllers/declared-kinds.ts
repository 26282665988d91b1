import { isDeepStrictEqual } from 'node:util';
import { readName } from '../../cache/kind-name.js';
import type { DeclaredKind } from '../../client/client-backend.js';
import { selectionOf } from '../../controller/controller-sources.js';
import type { ResolvedControllerOptions } from '../../controller/resolved-options.js';

/** The kinds that a controller may read from the cache. */
export function declaredKinds(options: ResolvedControllerOptions): readonly DeclaredKind[] {
  const { kind, byKey, watches, reads, namespaces } = options;
  const where = namespaces === undefined ? {} : { namespaces };
  return [
    ...(byKey ? [] : [{ kind, ...where }]),
    ...watches.map((watch) => ({ kind: watch.kind, ...selectionOf(watch, options) })),
    ...reads.map((read) => ({ kind: read, ...where })),
  ];
}

/**
 * The kinds of several controllers together, for a client that stands for all of them. Where two look at different objects of a
 * kind, it looks at all.
 */
export function joinedKinds(declared: readonly DeclaredKind[]): readonly DeclaredKind[] {
  const byKind = new Map<string, DeclaredKind>();
  for (const each of declared) {
    const known = byKind.get(readName(each.kind));
    if (known === undefined) byKind.set(readName(each.kind), each);
    else if (!isSame(known, each)) byKind.set(readName(each.kind), { kind: each.kind });
  }
  return [...byKind.values()];
}

function isSame(a: DeclaredKind, b: DeclaredKind): boolean {
  return isDeepStrictEqual([a.labels, a.fields, a.namespaces], [b.labels, b.fields, b.namespaces]);
}
