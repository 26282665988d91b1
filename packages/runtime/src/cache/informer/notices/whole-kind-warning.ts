import type { Logger } from '../../../log/logger.js';
import type { InformerSelection } from '../../selection/informer-selection.js';
import { kindNameOf } from '../../selection/kind-name.js';
import { OncePerKind } from './once-per-kind.js';

/** The kinds that have many or large objects in a typical cluster. */
const LARGE: ReadonlySet<string> = new Set([
  'v1/Pod',
  'v1/Secret',
  'v1/ConfigMap',
  'v1/Event',
  'v1/Node',
  'v1/Endpoints',
  'events.k8s.io/v1/Event',
  'apps/v1/ReplicaSet',
  'discovery.k8s.io/v1/EndpointSlice',
]);

/**
 * Logs a warning if the cache stores every object of a large core kind, with all fields, although the cache options do not list the kind.
 * Logs one warning per kind.
 */
export class WholeKindWarning {
  readonly #logger: Logger;
  readonly #once = new OncePerKind();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  check(
    { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
    selection: InformerSelection,
  ): void {
    const name = kindNameOf({ apiVersion, kind });
    if (!LARGE.has(name) || !isWhole(selection) || !this.#once.isFirst({ apiVersion, kind })) return;
    this.#logger.warn(
      `caching every ${kind} in the cluster, which may use a lot of memory: select objects with cacheOf(${kind}, { labels, fields }), ` +
        `read metadataOnly(${kind}), restrict 'cache.namespaces', or list cacheOf(${kind}) under 'cache.kinds' if this is intended`,
      { kind, apiVersion },
    );
  }
}

function isWhole({ scopes, metadataOnly, isConfigured }: InformerSelection): boolean {
  if (metadataOnly || isConfigured) return false;
  return scopes.some(({ namespace, except, labels, fields }) => {
    return namespace === undefined && except.length === 0 && labels === undefined && fields === undefined;
  });
}
