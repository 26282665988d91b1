import type { KubeObject } from '@kubewright/api';
import type { Timer } from '@kubewright/api/clock';
import type { DetectedRestores } from './found-restores.js';
import type { ObjectSource } from './object-source.js';
import { isNewer } from '../store/overlay.js';
import { checkHistory, type HistoryVerdict, type KnownState, type NewestChange } from './server-history.js';
import type { StreamEvent } from './watch-stream.js';

/** The delay of a check after the start of a watch, in milliseconds. The delay doubles after each failed check, up to `MAX_DELAY_MS`. */
const CHECK_AFTER_MS = 10_000;
const MAX_DELAY_MS = 300_000;

/** A known state that was not checked yet. */
interface Unverified extends KnownState {
  /** When the check is due. Undefined if no watch has started yet. */
  dueMs?: number;
  delayMs: number;
}

/** The dependencies of a history check. */
export interface HistoryCheckOptions<T extends KubeObject> {
  readonly source: ObjectSource<T>;
  /** The restores that other reflectors of the same server have detected. @default none */
  readonly restores: DetectedRestores | undefined;
  /**
   * Called if the history of the server differs from the known history. After a lost connection, also called if the check cannot compare
   * the histories.
   */
  readonly onVerdict: (verdict: Exclude<HistoryVerdict, 'same'>) => void;
}

/**
 * Detects that the API server was restored from a backup. On a restored server, a resumed watch does not get an error, but misses all
 * changes up to its version. The reflector therefore checks the first watch after a lost connection, and after a list that was not
 * streamed. The server must still have the newest change that the reflector knew before the watch. Until a check succeeds, the state from
 * before the watch is the reference, because later events may already belong to another history.
 *
 * If another reflector detects a restore, the restore also applies to reflectors that have lost their connection since their last list.
 */
export class HistoryCheck<T extends KubeObject> {
  readonly #options: HistoryCheckOptions<T>;
  #newest: NewestChange | undefined;
  #unverified: Unverified | undefined;
  #hasLostConnection = false;
  /** The number of restores that were detected before the last list. The list already contains the state after these restores. */
  #listedRestores = 0;

  constructor(options: HistoryCheckOptions<T>) {
    this.#options = options;
  }

  /** Returns whether a list contains an older state of the object that changed last. If so, the server was restored. */
  isOlder(objects: readonly T[]): boolean {
    const { uid, resourceVersion } = this.#newest?.object.metadata ?? {};
    if (uid === undefined || resourceVersion === undefined) return false;
    const listed = objects.find(({ metadata }) => metadata.uid === uid);
    return listed !== undefined && isNewer(resourceVersion, listed.metadata.resourceVersion);
  }

  /**
   * Sets the known state to the objects of a list. With `isStreamed`, the watch continues in the same stream, so that no check is
   * necessary.
   */
  listed(objects: readonly T[], resourceVersion: string, isStreamed: boolean): void {
    let object: T | undefined;
    for (const each of objects) object = newer(each, object);
    this.#newest = object && { object, isDeleted: false };
    this.#unverified = undefined;
    this.#hasLostConnection = false;
    this.#listedRestores = this.#options.restores?.count ?? 0;
    if (!isStreamed) this.#expect(resourceVersion);
  }

  /** Records an event of a watch as the newest change. Ignores bookmarks and events without a version. */
  saw(event: StreamEvent<T>): void {
    if (event.type === 'BOOKMARK' || event.resourceVersion === '') return;
    this.#newest = { object: event.object, isDeleted: event.type === 'DELETED' };
  }

  /** Records that the connection was lost at this version. The next watch must be checked, because it may reach a restored server. */
  lostConnection(resourceVersion: string): void {
    this.#hasLostConnection = true;
    this.#expect(resourceVersion);
  }

  /** Reports a restore to the other reflectors. */
  report(): void {
    this.#options.restores?.report();
  }

  /** Schedules the check of a watch if a check is necessary. The returned function, or the signal, cancels the check. */
  start(signal: AbortSignal): () => void {
    const { source, restores } = this.#options;
    const { clock } = source;
    const stop = new AbortController();
    const onRestore = (): void => {
      if (this.#hasLostConnection && (restores?.count ?? 0) > this.#listedRestores) this.#options.onVerdict('other');
    };
    const forget = restores?.onReport(onRestore);
    const ended = AbortSignal.any([signal, stop.signal]);
    let timer: Timer | undefined;
    const schedule = (): void => {
      // If the watch ends during the check, the next watch is checked instead.
      if (this.#unverified === undefined || ended.aborted) return;
      const nowMs = clock.monotonicMs();
      const dueMs = (this.#unverified.dueMs ??= nowMs + this.#unverified.delayMs);
      timer = clock.schedule(Math.max(dueMs - nowMs, 0), () => {
        void this.#check(ended).then(schedule);
      });
    };
    schedule();
    onRestore();
    return () => {
      stop.abort();
      timer?.cancel();
      forget?.();
    };
  }

  async #check(signal: AbortSignal): Promise<void> {
    const unverified = this.#unverified;
    if (unverified === undefined) return;
    const { source, onVerdict } = this.#options;
    try {
      const verdict = await checkHistory(source, unverified, signal);
      if (signal.aborted || this.#unverified !== unverified) return;
      this.#unverified = undefined;
      // If the server does not have enough history, a new list could not be checked either, and would not help.
      if (verdict === 'other' || (verdict === 'unknown' && this.#hasLostConnection)) onVerdict(verdict);
      if (verdict === 'other') this.report();
    } catch (error) {
      if (signal.aborted) return;
      source.logger.debug('cannot verify the history of the API server yet', { source: source.name, error });
      unverified.delayMs = Math.min(unverified.delayMs * 2, MAX_DELAY_MS);
      unverified.dueMs = source.clock.monotonicMs() + unverified.delayMs;
    }
  }

  #expect(resourceVersion: string): void {
    if (resourceVersion === '') return;
    this.#unverified ??= { resourceVersion, newest: this.#newest, delayMs: CHECK_AFTER_MS };
  }
}

function newer<T extends KubeObject>(a: T, b: T | undefined): T {
  return b !== undefined && !isNewer(a.metadata.resourceVersion, b.metadata.resourceVersion) ? b : a;
}
