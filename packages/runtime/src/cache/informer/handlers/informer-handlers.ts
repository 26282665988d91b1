import type { KubeObject } from '@kubewright/api';
import type { Logger } from '../../../log/logger.js';
import type { Change } from '../../store/change.js';
import { HandlerQueue } from './handler-queue.js';
import type { ScopedChanges } from '../../store/scoped-store.js';
import type { ChangeHandler } from './change-handler.js';
import type { WatchedScope } from '../scopes/watched-scope.js';

/** The objects of an informer that a handler receives. */
export interface HandlerView<T extends KubeObject> {
  /** Whether all objects of the view are listed. */
  readonly isSynced: boolean;
  /** Returns the current objects of the view. */
  list(): readonly T[];
  /** Converts a change of the informer to a change of the view. Returns undefined if the change does not affect the view. */
  see(change: Change<T>): Change<T> | undefined;
  /** Returns whether the handler also receives the changes of this tracked scope. */
  follows(scope: WatchedScope<T>): boolean;
}

/** A handler and its view. */
interface Receiver<T extends KubeObject> {
  readonly queue: HandlerQueue<T>;
  readonly view: HandlerView<T> | undefined;
}

/** Changes that were not delivered yet, with the handlers that receive them. */
interface Pending<T extends KubeObject> extends ScopedChanges<T> {
  /** The scope that caused the changes. */
  readonly scope: WatchedScope<T> | undefined;
  readonly receivers: readonly Receiver<T>[];
}

/** The handlers of an informer. Delivers changes in the order of the store. A handler with a view receives only the changes of its view. */
export class InformerHandlers<T extends KubeObject> {
  /** Replaced by a new array if a handler is added or removed. */
  #receivers: readonly Receiver<T>[] = [];
  /** The changes that are being delivered, followed by changes that handlers cause during the delivery. */
  readonly #pending: Pending<T>[] = [];

  /** The number of changes that handlers have not processed yet. */
  get waiting(): number {
    let waiting = 0;
    for (const { queue } of this.#receivers) waiting += queue.length;
    return waiting;
  }

  /** Adds a handler. The handler does not receive earlier changes. */
  add(
    handler: ChangeHandler<T>,
    options: {
      readonly logger: Logger;
      readonly view: HandlerView<T> | undefined;
      readonly onRemove: () => void;
    },
  ): HandlerQueue<T> {
    const { logger, view, onRemove } = options;
    const queue: HandlerQueue<T> = new HandlerQueue<T>(handler, logger, (removed) => {
      this.#receivers = this.#receivers.filter((receiver) => receiver.queue !== removed);
      onRemove();
    });
    this.#receivers = [...this.#receivers, { queue, view }];
    return queue;
  }

  /**
   * Delivers changes to all handlers. A handler with a view receives only the changes of its view. If a tracked scope caused the changes,
   * `ofScope` contains the changes of the objects in this scope.
   */
  deliver({ changes, ofScope }: ScopedChanges<T>, scope?: WatchedScope<T>): void {
    // A handler that is added during the delivery receives the changed objects as existing objects instead.
    this.#deliver({ changes, ofScope, scope, receivers: this.#receivers });
  }

  /** Delivers changes only to the handlers with this view. */
  deliverTo(view: HandlerView<T>, changes: readonly Change<T>[]): void {
    const receivers = this.#receivers.flatMap(({ queue, view: of }) =>
      of === view ? [{ queue, view: undefined }] : [],
    );
    this.#deliver({ changes, ofScope: [], scope: undefined, receivers });
  }

  /**
   * Notifies the handlers whose views are synced of the end of the first list. Notifies handlers without a view only if `isSynced` is true.
   */
  pushSynced(isSynced: boolean): void {
    for (const { queue, view } of this.#receivers) if (view?.isSynced ?? isSynced) queue.pushSynced();
  }

  /** Removes all handlers. */
  clear(): void {
    for (const { queue } of this.#receivers) queue.remove();
  }

  #deliver(pending: Pending<T>): void {
    if (pending.changes.length === 0 && pending.ofScope.length === 0) return;
    this.#pending.push(pending);
    if (this.#pending.length > 1) return;
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      for (const { queue, view } of next.receivers) queue.push(view === undefined ? next.changes : seenBy(view, next));
      this.#pending.shift();
    }
  }
}

function seenBy<T extends KubeObject>(
  view: HandlerView<T>,
  { changes, scope, ofScope }: Pending<T>,
): readonly Change<T>[] {
  const seen: Change<T>[] = [];
  for (const change of changes) {
    const one = view.see(change);
    if (one !== undefined) seen.push(one);
  }
  return scope !== undefined && ofScope.length > 0 && view.follows(scope) ? [...seen, ...ofScope] : seen;
}
