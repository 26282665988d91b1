import { AsyncVariable } from '../../context/async-variable.js';
import type { KindRef, KubeObject } from '@kubewright/api';
import type { Index } from '../../cache/store/index-declaration.js';
import type { Logger } from '../../log/logger.js';
import type { AccessRecord } from '../../rbac/access-record.js';
import type { AbortSource } from '../../waiting/abort-source.js';
import type { SentWrite, Write } from './write.js';

/** The properties of a reconcile that affect its client calls. */
export interface ReconcileScope {
  /** The name of the controller: the field manager and the owner label of the writes. */
  readonly controller: string;
  /** The key of the reconciled object, such as 'default/a'. */
  readonly object?: string;
  /** The kinds from which `applyOwned` prunes children. */
  readonly owns: readonly KindRef[];
  /** Optional kinds that are treated as not served. Set in scopes in which the runtime does not track optional kinds. @default none */
  readonly dormant?: readonly KindRef[];
  /** Additional kinds whose schemas the client uses. */
  readonly kinds?: readonly KindRef[];
  /** The indexes that a client without a cache can evaluate. @default none */
  readonly indexes?: readonly Index<KubeObject>[];
  /** Aborts the requests of this reconcile. */
  readonly signal?: AbortSignal | undefined;
  /** Same as `signal`, for calls that need no `AbortSignal`. @default `signal` */
  readonly ending?: AbortSource | undefined;
  /** The logger for lines about this reconcile. */
  readonly log?: Logger;
  /** Called after each write that the server accepted. `sent` is undefined for a delete. */
  readonly onWrite?: (write: Write, sent?: SentWrite) => void;
  /** Called after a write with an unknown result, for example if the server sent no response, a server error or an invalid response. */
  readonly onUnanswered?: (object: KubeObject) => void;
  /** Called if an apply for an owner fails with NOT_OWNED, even if the reconcile catches the error. `present` is the existing object. */
  readonly onTaken?: (present: KubeObject) => void;
  /** Access records that collect the RBAC permissions that the calls need. */
  readonly records?: readonly AccessRecord[];
}

/** A running reconcile. */
interface Running {
  readonly scope: ReconcileScope;
  applied: Set<string> | undefined;
}

const running = new AsyncVariable<Running>();

/**
 * Runs one reconcile. Client calls in the reconcile use the field manager of the controller, and are aborted when the signal is aborted. A
 * second `applyOwned` for the same owner and set throws DUPLICATE_APPLY.
 */
export function runInScope<R>(scope: ReconcileScope, reconcile: () => R): R {
  return running.run({ scope, applied: undefined }, reconcile);
}

/** Returns the source that aborts the requests of the current reconcile. Returns undefined if there is none. */
export function currentEnding(): AbortSource | undefined {
  const scope = currentScope();
  return scope?.ending ?? scope?.signal;
}

/** Returns the scope of the current reconcile, or undefined outside of a reconcile. */
export function currentScope(): ReconcileScope | undefined {
  return running.get()?.scope;
}

/**
 * Returns the owner and the set of each previous `applyOwned` call of the current reconcile, to detect a second call. Returns undefined
 * outside of a reconcile.
 */
export function appliedSets(): Set<string> | undefined {
  const current = running.get();
  return current === undefined ? undefined : (current.applied ??= new Set());
}
