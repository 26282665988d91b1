import type { ObjectKey } from '@kubewright/api';
import type { Logger } from '../../../log/logger.js';
import type { InformerScope } from '../../selection/informer-selection.js';
import { formatKey } from '../../store/object-key.js';
import { OncePerKind } from './once-per-kind.js';
import { describeScopes } from '../../selection/describe-scopes.js';

/**
 * Logs that a read was sent to the API server although the kind is cached, and how to avoid such reads. Logs only the first such read of
 * each kind.
 */
export class LiveReadNotice {
  readonly #logger: Logger;
  readonly #once = new OncePerKind();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  check(
    { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
    key: ObjectKey,
    watched: readonly InformerScope[],
  ): void {
    if (!this.#once.isFirst({ apiVersion, kind })) return;
    this.#logger.info(
      `read ${kind} ${formatKey(key)} from the API server instead of the cache: the cache contains ${describeScopes(watched)}, so it ` +
        `cannot determine whether this object exists; to avoid these requests, list ${kind} under 'reads' of the controller, which ` +
        'caches every object of the kind',
      { kind, apiVersion },
    );
  }
}
