import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../../../log/logger.js';
import type { Change } from '../../store/change.js';
import type { ChangeHandler, HandlerRegistration } from './change-handler.js';
import { Slices } from '../../../waiting/slices.js';

/** The queue entry that follows the objects of the first list. */
const SYNCED: unique symbol = Symbol('synced');

type Entry<T> = Change<T> | typeof SYNCED;

/**
 * Delivers changes to one handler in order. Delivers a single change synchronously, if no other change is waiting. Delivers many changes in
 * time slices, so that other tasks can run in between. If the handler throws, logs the error and continues with the next change.
 */
export class HandlerQueue<T extends KubeObject> implements HandlerRegistration {
  readonly synced: Promise<void>;
  readonly #handler: ChangeHandler<T>;
  readonly #logger: Logger;
  readonly #onRemove: (queue: HandlerQueue<T>) => void;
  #resolveSynced: () => void = () => undefined;
  #rejectSynced: (reason: unknown) => void = () => undefined;
  #waiting: Entry<T>[] = [];
  #position = 0;
  #isDraining = false;
  #isRemoved = false;
  #isSynced = false;

  constructor(handler: ChangeHandler<T>, logger: Logger, onRemove: (queue: HandlerQueue<T>) => void) {
    this.#handler = handler;
    this.#logger = logger;
    this.#onRemove = onRemove;
    this.synced = new Promise((resolve, reject) => {
      this.#resolveSynced = resolve;
      this.#rejectSynced = reject;
    });
    // Prevents an unhandled rejection if no caller waits for the promise.
    this.synced.catch(() => undefined);
  }

  /** The number of entries that were not delivered yet: the changes, and the end of the first list. */
  get length(): number {
    return this.#waiting.length - this.#position;
  }

  push(changes: readonly Change<T>[]): void {
    if (this.#isRemoved || changes.length === 0) return;
    if (!this.#isDraining && changes.length === 1 && changes[0] !== undefined) return this.#hand(changes[0]);
    for (const change of changes) this.#waiting.push(change);
    this.#start();
  }

  /** Adds the entry that marks the end of the first list. Further calls have no effect. */
  pushSynced(): void {
    if (this.#isRemoved || this.#isSynced) return;
    this.#isSynced = true;
    this.#waiting.push(SYNCED);
    this.#start();
  }

  remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#waiting = [];
    this.#position = 0;
    this.#rejectSynced(
      new KubewrightError('INFORMER_CLOSED', 'the handler was removed before it received the initial objects'),
    );
    this.#onRemove(this);
  }

  #start(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    void this.#drain();
  }

  async #drain(): Promise<void> {
    const slices = new Slices();
    while (this.#position < this.#waiting.length) {
      const entry = this.#waiting[this.#position++] as Entry<T>;
      if (entry === SYNCED) this.#finishSync();
      else this.#hand(entry);
      if (slices.isOver) await slices.next();
    }
    this.#waiting = [];
    this.#position = 0;
    this.#isDraining = false;
  }

  #hand(change: Change<T>): void {
    try {
      this.#handler.onChange(change);
    } catch (error) {
      const { kind, metadata } = change.object;
      this.#logger.error('a change handler failed', {
        error,
        change: change.type,
        kind,
        namespace: metadata.namespace,
        name: metadata.name,
      });
    }
  }

  #finishSync(): void {
    try {
      this.#handler.onSynced?.();
    } catch (error) {
      this.#logger.error('a change handler failed at the end of the initial list', { error });
    }
    this.#resolveSynced();
  }
}
