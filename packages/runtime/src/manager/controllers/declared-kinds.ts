import type { DeclaredKind } from '../../client/client-backend.js';
import { selectionOf } from '../../controller/controller-sources.js';
import type { ResolvedControllerOptions } from '../../controller/resolved-options.js';

/** Returns the kinds that a controller may read from the cache. */
export function declaredKinds(options: ResolvedControllerOptions): readonly DeclaredKind[] {
  const { kind, byKey, watches, reads, namespaces } = options;
  const where = namespaces === undefined ? {} : { namespaces };
  return [
    ...(byKey ? [] : [{ kind, ...where }]),
    ...watches.map((watch) => ({ kind: watch.kind, optional: watch.optional, ...selectionOf(watch, options) })),
    ...reads.map(({ kind: read, optional }) => ({ kind: read, optional, ...where })),
  ];
}
