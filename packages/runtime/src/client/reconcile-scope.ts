import { AsyncLocalStorage } from 'node:async_hooks';
import type { KindRef, KubeObject } from '@kubewright/api';
import type { Index } from '../cache/index-declaration.js';
import type { Logger } from '../log/logger.js';
import type { AccessRecord } from './access-record.js';
import type { SentWrite, Write } from './write.js';

/** What a client needs to know of the reconcile on whose behalf it is called. */
export interface ReconcileScope {
  /** Field manager and owner label of the writes. */
  readonly controller: string;
  /** The kinds in which `applyOwned` looks for children to prune. */
  readonly owns: readonly KindRef[];
  /** Optional kinds that are not served, for a scope in which the runtime does not follow optional kinds. @default none */
  readonly dormant?: readonly KindRef[];
  /** Other kinds that are worked with, for their schemas. */
  readonly kinds?: readonly KindRef[];
  /** Indexes by which a client that has no cache lists all the same. @default none */
  readonly indexes?: readonly Index<KubeObject>[];
  /** Aborts the requests of this reconcile. */
  readonly signal?: AbortSignal;
  /** For lines that tell of this reconcile. */
  readonly log?: Logger;
  /** Called after each write that the server accepted; for a delete, without what was sent. */
  readonly onWrite?: (write: Write, sent?: SentWrite) => void;
  /** Called after a write of which nobody knows whether the server carried it out: it did not answer, or answered that it failed itself. */
  readonly onUnanswered?: (object: KubeObject) => void;
  /** Called with the foreign object each time an apply for an owner fails with NOT_OWNED, even if the reconcile catches the error. */
  readonly onTaken?: (present: KubeObject) => void;
  /** Get to know which rights the calls need. */
  readonly records?: readonly AccessRecord[];
}

/** A scope, and what was applied in it so far. */
export interface RunningScope extends ReconcileScope {
  /** Owner and set of each `applyOwned` so far. */
  readonly applied: Set<string>;
}

const running = new AsyncLocalStorage<RunningScope>();

/**
 * Runs one reconcile. Every client that is called inside, whichever it is, writes as the controller, stops with its signal, and
 * refuses a second `applyOwned` for the same owner and set.
 */
export function runInScope<R>(scope: ReconcileScope, reconcile: () => R): R {
  return running.run({ ...scope, applied: new Set() }, reconcile);
}

/** The scope of the reconcile that is calling, or undefined outside of one. */
export function currentScope(): RunningScope | undefined {
  return running.getStore();
}
