import type { KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Change } from '../../store/change.js';

/**
 * Receives the changes of an informer. If a handler throws, the informer logs the error, and the other handlers still receive the change.
 */
export interface ChangeHandler<T extends KubeObject> {
  /** Called for each existing object, and then for each change in order. The store has already applied the change. */
  onChange(change: Change<T>): void;
  /** Called once, after `onChange` was called for all objects of the first list. */
  onSynced?(): void;
}

/** The options of a handler. */
export interface HandlerOptions {
  /**
   * The interval at which this handler receives all objects again. False disables the resync. Does not affect other handlers. @default the
   * setting of the cache
   */
  readonly resync?: Duration | false | undefined;
}

/** The registration of a handler. */
export interface HandlerRegistration {
  /** Removes the handler. Discards changes that were not delivered yet. Further calls have no effect. */
  remove(): void;
  /**
   * Resolves when the handler has received all objects of the first list. Rejects if the handler is removed, or the informer is closed,
   * before that.
   */
  readonly synced: Promise<void>;
}
