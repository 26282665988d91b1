import type { KubeObject } from '@kubewright/api';
import type { Timer } from '@kubewright/api/clock';
import type { FoundRestores } from './found-restores.js';
import type { ObjectSource } from './object-source.js';
import { isNewer } from '../store/overlay.js';
import { checkHistory, type HistoryVerdict, type KnownState, type NewestChange } from './server-history.js';
import type { StreamEvent } from './watch-stream.js';

/** Time from the start of an unverified watch to its check. The delay doubles with each failed check, up to `MAX_DELAY_MS`. */
const CHECK_AFTER_MS = 10_000;
const MAX_DELAY_MS = 300_000;

/** A known state that is not verified yet. */
interface Unverified extends KnownState {
  /** Undefined until a watch resumes from the state. */
  dueMs?: number;
  delayMs: number;
}

/** Dependencies of a history check. */
export interface HistoryCheckOptions<T extends KubeObject> {
  readonly source: ObjectSource<T>;
  /** The restores that other reflectors of the same server detect. @default none */
  readonly restores: FoundRestores | undefined;
  /** Called if the watched history differs from the history of the cache, or if this cannot be determined. */
  readonly onVerdict: (verdict: Exclude<HistoryVerdict, 'same'>) => void;
}

/**
 * Detects that the API server was restored from a backup. A watch that resumes on a restored server gets no error and misses all changes up
 * to its version. Therefore, the first watch after a lost connection, and after a list without a stream, is verified: the server must still
 * have the newest change that the reflector knew before. The state from before the watch remains the reference until a check succeeds,
 * because later events may belong to another history.
 *
 * A restore that another reflector detects also applies to each reflector that has lost its connection since its last list.
 */
export class HistoryCheck<T extends KubeObject> {
  readonly #options: HistoryCheckOptions<T>;
  #newest: NewestChange | undefined;
  #unverified: Unverified | undefined;
  #hasLostConnection = false;
  /** The number of restores that were detected before the last list. This list contains the state after these restores. */
  #listedRestores = 0;

  constructor(options: HistoryCheckOptions<T>) {
    this.#options = options;
  }

  /** Returns whether a list contains an older state of the object that changed last, which shows that the server was restored. */
  isOlder(objects: readonly T[]): boolean {
    const { uid, resourceVersion } = this.#newest?.object.metadata ?? {};
    if (uid === undefined || resourceVersion === undefined) return false;
    const listed = objects.find(({ metadata }) => metadata.uid === uid);
    return listed !== undefined && isNewer(resourceVersion, listed.metadata.resourceVersion);
  }

  /** Resets the check to the objects of a list. `isStreamed`: the watch continues in the same stream, so no check is necessary. */
  listed(objects: readonly T[], resourceVersion: string, isStreamed: boolean): void {
    const [first, ...others] = objects;
    const object = others.reduce<T | undefined>((newest, other) => newer(other, newest), first);
    this.#newest = object && { object, isDeleted: false };
    this.#unverified = undefined;
    this.#hasLostConnection = false;
    this.#listedRestores = this.#options.restores?.count ?? 0;
    if (!isStreamed) this.#expect(resourceVersion);
  }

  /** Records an event of a watch. */
  saw(event: StreamEvent<T>): void {
    if (event.type === 'BOOKMARK' || event.resourceVersion === '') return;
    this.#newest = { object: event.object, isDeleted: event.type === 'DELETED' };
  }

  /** Records that the connection was lost at this version. The next watch may reach a restored server. */
  lostConnection(resourceVersion: string): void {
    this.#hasLostConnection = true;
    this.#expect(resourceVersion);
  }

  /** Reports a restore to the other reflectors. */
  report(): void {
    this.#options.restores?.report();
  }

  /** Schedules the check of an open watch if the watch is unverified. The returned function or the signal stops the check. */
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
      // If the watch ends during a check, the next watch checks the state.
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
      // A history that is too short cannot verify a list either, so a new list does not help.
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
