import type { KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Change } from '../../store/change.js';

/** Receives the changes of an informer. If the handler throws, the informer logs the error, and other handlers still receive the change. */
export interface ChangeHandler<T extends KubeObject> {
  /**
   * Called for each existing object, and then for each change, in the order of the changes. The store applies a change before this call.
   */
  onChange(change: Change<T>): void;
  /** Called once, after `onChange` was called for every object of the first list. */
  onSynced?(): void;
}

/** Options of a handler. */
export interface HandlerOptions {
  /** The interval at which the handler receives every object again, independently of other handlers. @default the setting of the cache */
  readonly resync?: Duration | false | undefined;
}

/** A registered handler. */
export interface HandlerRegistration {
  /** Removes the handler, including its pending changes. Further calls have no effect. */
  remove(): void;
  /**
   * Resolves after the handler has received the objects of the first list. Rejects if the handler is removed or the informer is closed
   * before.
   */
  readonly synced: Promise<void>;
}
