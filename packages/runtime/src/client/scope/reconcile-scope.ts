import { AsyncLocalStorage } from 'node:async_hooks';
import type { KindRef, KubeObject } from '@kubewright/api';
import type { Index } from '../../cache/store/index-declaration.js';
import type { Logger } from '../../log/logger.js';
import type { AccessRecord } from '../../rbac/access-record.js';
import type { SentWrite, Write } from './write.js';

/** The properties of a reconcile that a client uses for its calls. */
export interface ReconcileScope {
  /** The field manager and the owner label of the writes. */
  readonly controller: string;
  /** The kinds in which `applyOwned` looks for children to prune. */
  readonly owns: readonly KindRef[];
  /** Optional kinds that are not served, for a scope in which the runtime does not track optional kinds. @default none */
  readonly dormant?: readonly KindRef[];
  /** Additional kinds whose schemas the client uses. */
  readonly kinds?: readonly KindRef[];
  /** The indexes that a client without a cache can evaluate. @default none */
  readonly indexes?: readonly Index<KubeObject>[];
  /** Aborts the requests of this reconcile. */
  readonly signal?: AbortSignal;
  /** The logger for lines about this reconcile. */
  readonly log?: Logger;
  /** Called after each write that the server accepted. `sent` is undefined for a delete. */
  readonly onWrite?: (write: Write, sent?: SentWrite) => void;
  /** Called after a write with an unknown result: the server did not answer, or answered with a server error. */
  readonly onUnanswered?: (object: KubeObject) => void;
  /** Called with the foreign object each time an apply for an owner fails with NOT_OWNED, even if the reconcile catches the error. */
  readonly onTaken?: (present: KubeObject) => void;
  /** Record the permissions that the calls need. */
  readonly records?: readonly AccessRecord[];
}

/** A scope with the `applyOwned` calls so far. */
export interface RunningScope extends ReconcileScope {
  /** The owner and the set of each `applyOwned` call so far. */
  readonly applied: Set<string>;
}

const running = new AsyncLocalStorage<RunningScope>();

/**
 * Runs one reconcile. All client calls of the reconcile write with the field manager of the controller and are aborted by the signal. A
 * second `applyOwned` for the same owner and set throws DUPLICATE_APPLY.
 */
export function runInScope<R>(scope: ReconcileScope, reconcile: () => R): R {
  return running.run({ ...scope, applied: new Set() }, reconcile);
}

/** Returns the scope of the current reconcile, or undefined outside of a reconcile. */
export function currentScope(): RunningScope | undefined {
  return running.getStore();
}
