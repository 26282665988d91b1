import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { WriteLine } from '../../transport/sending/outage-episode.js';
import { isTakenByOutage } from '../../transport/sending/server-outage.js';
import { type AccessVerb, accessProblem } from './access-problem.js';
import { BackOff } from '../../waiting/back-off.js';
import { checkConsistency } from './consistency-check.js';
import type { DetectedRestores } from './found-restores.js';
import { HistoryCheck } from './history-check.js';
import { readInitialStream } from './initial-stream.js';
import { listAll } from './list-pages.js';
import type { ObjectSource } from './object-source.js';
import { isNewer } from '../store/overlay.js';
import { failureOf } from './reflector-failure.js';
import type { ReflectorState, ReflectorStatus } from './reflector-status.js';
import { RetryWindow } from './retry-window.js';
import { openWatch, type StreamEvent, type WatchStream } from './watch-stream.js';

const DEFAULT_PAGE_SIZE = 500;
const MIN_WATCH_SECONDS = 300;
const SILENCE_MS = 300_000;
const VERY_SHORT_MS = 1000;
/** The maximum delay in milliseconds during an outage, so that a cache recovers within a minute after the outage. */
const MAX_OUTAGE_DELAY_MS = 30_000;
/** The period in milliseconds after an outage in which delayed reflectors try again, each at a random time. */
const WAKE_SPREAD_MS = 5000;
/**
 * After this number of streaming lists that end too early, the reflector uses paged lists for `AVOID_STREAMING_MS`. If a stream ends
 * immediately without an event, the reflector uses paged lists after this single stream.
 */
const MAX_EARLY_ENDS = 2;
/** After this number of streaming lists with a broken connection, the reflector uses one paged list. */
const MAX_BROKEN_STREAMS = 2;
const AVOID_STREAMING_MS = 600_000;

/** Receives the objects and changes of a reflector. Each call changes the state in a single step. */
export interface ReflectorTarget<T extends KubeObject> {
  /** Replaces all objects. If `isSetBack` is true, the server was restored, so that the objects can be older than the replaced objects. */
  replace(objects: readonly T[], resourceVersion: string, isSetBack: boolean): void;
  /** Adds or replaces an object. */
  put(object: T, resourceVersion: string): void;
  /** Removes an object. `object` is its last state. */
  remove(object: T, resourceVersion: string): void;
  /** Sets the version. No object has changed between the previous version and this version. */
  bookmark(resourceVersion: string): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly source: ObjectSource<T>;
  readonly target: ReflectorTarget<T>;
  /** Whether to request the initial objects as a stream, if the server supports streaming lists. @default true */
  readonly streaming?: boolean | undefined;
  /** Whether to compare each streaming list with a list of the same version. A difference is an error. @default false */
  readonly checksConsistency?: boolean | undefined;
  /**
   * Returns the minimum resourceVersion of the first list, or '' for any version. Not called if the list is streamed. Without a minimum, a
   * server behind a load balancer could respond with an older state than other watches have delivered. @default any version
   */
  readonly notOlderThan?: (() => string) | undefined;
  /** The number of objects per page of a list. @default 500 */
  readonly pageSize?: number | undefined;
  /** The minimum duration of a watch in seconds. The maximum is twice this value. Values below the default have no effect. @default 300 */
  readonly minWatchSeconds?: number | undefined;
  /** The time in milliseconds after which a watch that received no bytes is closed and resumed. @default 300_000 */
  readonly silenceMs?: number | undefined;
  /** The time in milliseconds for which the reflector resumes a watch after internal server errors. Afterwards, lists again. @default 0 */
  readonly maxInternalErrorMs?: number | undefined;
  /** The restores of the server that other reflectors have detected. @default none */
  readonly restores?: DetectedRestores | undefined;
  /** Determines the delays after failures. @default a `BackOff` with base delays from 0.8 s to 30 s */
  readonly backOff?: { nextMs(): number; reset?(): void } | undefined;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). @default the random numbers of the clock */
  readonly random?: (() => number) | undefined;
  /** Called on each change of the status. */
  readonly onStatus?: ((status: ReflectorStatus) => void) | undefined;
}

/** A state in which the reflector sends a request. */
type Attempt = Extract<ReflectorState, { readonly name: 'streaming' | 'listing' | 'watching' }>;

/**
 * Keeps a target up to date with the objects of one resource. Lists the objects, watches their changes, and recovers from failures. After a
 * broken connection or an overload of the server, resumes the watch from the last version. Lists again after other failures, and if the
 * server no longer has this version or may have lost its history. The target keeps its objects until a new list is complete.
 */
export class Reflector<T extends KubeObject> {
  readonly #source: ObjectSource<T>;
  readonly #target: ReflectorTarget<T>;
  readonly #options: ReflectorOptions<T>;
  readonly #backOff: { nextMs(): number; reset?(): void };
  readonly #internalErrors: RetryWindow;
  readonly #history: HistoryCheck<T>;
  readonly #random: () => number;
  #status: ReflectorStatus;
  /** Not part of `#status`, because the version changes with every event. */
  #resourceVersion = '';
  /** The stream of the current watch. After a streaming list, the watch continues in the same stream. */
  #stream: WatchStream<T> | undefined;
  /** Whether the last version cannot be used any more, so that the reflector must list the newest state. */
  #isVersionLost = false;
  /** The last version before the most recently detected restore of the server. Undefined after the next list. */
  #setBackFrom: string | undefined;
  /** Whether a list with resourceVersion '0' had several pages. If so, the server does not serve lists from a cache. */
  #isPaginated = false;
  /** The last reported problem. `verb` is 'watch' if a watch had the problem. Undefined after the recovery. */
  #reported: { readonly code: string; readonly verb: AccessVerb } | undefined;
  /** Whether there was an overload of the server or a broken connection since the last success. */
  #hadBriefFailure = false;
  #earlyEnds = 0;
  /** The number of streaming lists with a broken connection since the last paged list or complete streaming list. */
  #brokenStreams = 0;
  #avoidStreamingUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#source = options.source;
    this.#target = options.target;
    this.#random = options.random ?? options.source.clock.random.number;
    this.#backOff = options.backOff ?? new BackOff(options.source.clock, { random: this.#random });
    this.#internalErrors = new RetryWindow(options.source.clock, options.maxInternalErrorMs ?? 0);
    this.#history = new HistoryCheck({
      source: options.source,
      restores: options.restores,
      onVerdict: (verdict) => this.#discardVersion(verdict),
    });
    const { resource, namespace } = options.source;
    const base = {
      kind: resource.kind,
      state: { name: 'idle' },
      synced: false,
      lists: 0,
      watches: 0,
      resourceVersion: '',
    } as const;
    this.#status = namespace === undefined ? base : { ...base, namespace };
  }

  /** The current status. */
  get status(): ReflectorStatus {
    return { ...this.#status, resourceVersion: this.#resourceVersion };
  }

  /** The newest version of the target. Empty before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Lists and watches until the signal is aborted. Resolves when all streams are closed. Never rejects. Call this method only once. */
  async run(signal: AbortSignal): Promise<void> {
    let state: ReflectorState = this.#start();
    const forget = this.#source.transport.outage.onEnd(() => this.#backOff.reset?.());
    while (!signal.aborted && state.name !== 'stopped') {
      this.#set({ state });
      state = await this.#next(state, signal);
    }
    forget();
    this.#stream?.close();
    this.#stream = undefined;
    this.#set({ state: { name: 'stopped' } });
  }

  async #next(state: ReflectorState, signal: AbortSignal): Promise<ReflectorState> {
    try {
      switch (state.name) {
        case 'streaming':
          return await this.#streamObjects(state, signal);
        case 'listing':
          return await this.#listObjects(state, signal);
        case 'watching':
          return await this.#watch(state, signal);
        case 'waiting':
          await this.#pause(state.delayMs, signal);
          return state.next === 'watching'
            ? { name: 'watching', resourceVersion: this.#resourceVersion }
            : this.#start();
        default:
          return { name: 'stopped' };
      }
    } catch (error) {
      if (signal.aborted) return { name: 'stopped' };
      return this.#afterFailure(state as Attempt, error);
    }
  }

  /** Returns the state that requests all objects: with a streaming list if the server may support it, otherwise with paged lists. */
  #start(): Attempt {
    const canStream =
      this.#options.streaming !== false && this.#source.clock.monotonicMs() >= this.#avoidStreamingUntil;
    const resourceVersion = this.#resourceVersion;
    if (canStream) return { name: 'streaming', resourceVersion: this.#isVersionLost ? '' : resourceVersion };
    return this.#list();
  }

  #list(): Attempt {
    const resourceVersion = this.#resourceVersion;
    const from = resourceVersion || this.#options.notOlderThan?.() || '0';
    return { name: 'listing', resourceVersion: this.#isVersionLost ? '' : from };
  }

  async #streamObjects(state: Attempt, signal: AbortSignal): Promise<ReflectorState> {
    const initial = await readInitialStream(this.#source, {
      ...this.#watchLimits(),
      resourceVersion: state.resourceVersion,
      signal,
    });
    if (initial.result === 'complete') {
      if (this.#options.checksConsistency) {
        await checkConsistency(this.#source, initial, signal).catch((error: unknown) => {
          initial.stream.close();
          throw error;
        });
      }
      this.#stream = initial.stream;
      signal.throwIfAborted();
      this.#earlyEnds = 0;
      this.#brokenStreams = 0;
      return this.#listed(initial.objects, initial.resourceVersion, true);
    }
    this.#set({ lastError: initial.error });
    if (initial.result === 'broken') return this.#afterBrokenStream(initial.error);
    this.#earlyEnds++;
    if (!initial.isVeryShort && this.#earlyEnds < MAX_EARLY_ENDS) return this.#wait('streaming');
    this.#earlyEnds = 0;
    this.#avoidStreamingUntil = this.#source.clock.monotonicMs() + AVOID_STREAMING_MS;
    this.#source.logger.warn('streaming lists keep ending prematurely: using paged lists', {
      source: this.#source.name,
      error: initial.error,
    });
    return this.#list();
  }

  /** Retries the streaming list. After the second failure, uses one paged list instead, because some proxies break long streams. */
  #afterBrokenStream(error: unknown): ReflectorState {
    this.#debug('the connection of a streaming list was lost', error);
    if (++this.#brokenStreams < MAX_BROKEN_STREAMS) return this.#wait('streaming');
    this.#brokenStreams = 0;
    return this.#list();
  }

  async #listObjects(state: Attempt, signal: AbortSignal): Promise<ReflectorState> {
    const { resourceVersion } = state;
    const pageSize = this.#options.pageSize ?? DEFAULT_PAGE_SIZE;
    // The server serves a list at a given version from its cache only if the request has no limit.
    const fromCache = resourceVersion !== '' && resourceVersion !== '0';
    const limit = this.#options.pageSize === undefined && fromCache && !this.#isPaginated ? undefined : pageSize;
    const listed = await listAll(this.#source, { resourceVersion, limit, signal });
    signal.throwIfAborted();
    if (resourceVersion === '0' && listed.isPaginated) this.#isPaginated = true;
    return this.#listed(listed.objects, listed.resourceVersion, false);
  }

  #listed(objects: readonly T[], resourceVersion: string, isStreamed: boolean): ReflectorState {
    const isOlder = isNewer(this.#resourceVersion, resourceVersion) || this.#history.isOlder(objects);
    if (isOlder && this.#setBackFrom === undefined) {
      this.#setBackFrom = this.#resourceVersion;
      this.#history.report();
    }
    this.#history.listed(objects, resourceVersion, isStreamed);
    const before = this.#setBackFrom;
    if (before !== undefined) this.#logSetBack(before, resourceVersion);
    this.#setBackFrom = undefined;
    this.#isVersionLost = false;
    this.#resourceVersion = resourceVersion;
    this.#target.replace(objects, resourceVersion, before !== undefined);
    this.#set({ synced: true, lists: this.#status.lists + 1, lastError: undefined, problem: undefined });
    // A successful list does not show whether failed watches have recovered.
    if (this.#reported?.verb !== 'watch') this.#recovered();
    return { name: 'watching', resourceVersion };
  }

  async #watch(state: Attempt, signal: AbortSignal): Promise<ReflectorState> {
    const startedAt = this.#source.clock.monotonicMs();
    const stream = (this.#stream ??= await this.#openWatch(state.resourceVersion, signal));
    this.#set({ watches: this.#status.watches + 1, lastError: undefined, problem: undefined });
    const stopCheck = this.#history.start(signal);
    try {
      let event = await stream.next();
      // A handler of an event can stop the reflector. The target must then receive no further events.
      while (event !== undefined && !signal.aborted) {
        if (stream.isOrdered && this.#isStale(event)) return this.#wait(this.#start().name);
        this.#apply(event, stream.isOrdered);
        event = stream.take() ?? (await stream.next());
      }
    } finally {
      stopCheck();
      stream.close();
      this.#stream = undefined;
    }
    if (this.#isVersionLost) return this.#start();
    if (stream.brokenBy !== undefined || !stream.isDue) this.#history.lostConnection(this.#resourceVersion);
    const isVeryShort = this.#source.clock.monotonicMs() - startedAt < VERY_SHORT_MS;
    if (stream.brokenBy !== undefined) this.#set({ lastError: stream.brokenBy });
    const hasProgress = this.#resourceVersion !== state.resourceVersion;
    if (!isVeryShort && stream.brokenBy === undefined) this.#recovered();
    if (hasProgress || !isVeryShort || signal.aborted)
      return { name: 'watching', resourceVersion: this.#resourceVersion };
    const message = `watch ${this.#source.name}: ended within ${VERY_SHORT_MS / 1000} s without progress`;
    return this.#afterFailure(state, new KubewrightError('REQUEST_FAILED', message, { cause: stream.brokenBy }));
  }

  async #openWatch(resourceVersion: string, signal: AbortSignal): Promise<WatchStream<T>> {
    const { clock } = this.#source;
    const startedAt = clock.monotonicMs();
    const stream = await openWatch(this.#source, {
      ...this.#watchLimits(),
      resourceVersion,
      initial: false,
      signal,
    });
    // If opening the watch was slow, the transport may have repeated the request after a lost connection.
    if (clock.monotonicMs() - startedAt >= VERY_SHORT_MS) this.#history.lostConnection(resourceVersion);
    return stream;
  }

  /** Closes the watch so that all objects are listed again, because the server may not have the known history. */
  #discardVersion(verdict: 'other' | 'unknown'): void {
    if (this.#isVersionLost) return;
    this.#isVersionLost = true;
    if (verdict === 'other') this.#setBackFrom = this.#resourceVersion;
    this.#stream?.abandon(`the server does not have the history up to resourceVersion ${this.#resourceVersion}`);
  }

  /** Returns whether an event other than a deletion is older than the last version. If so, the reflector lists all objects again. */
  #isStale({ type, resourceVersion }: StreamEvent<T>): boolean {
    // The event of a deletion can have the version of the last state of the object.
    if (type === 'DELETED' || resourceVersion === '' || !isNewer(this.#resourceVersion, resourceVersion)) return false;
    this.#isVersionLost = true;
    this.#setBackFrom = this.#resourceVersion;
    this.#history.report();
    this.#resourceVersion = '';
    return true;
  }

  #logSetBack(before: string, now: string): void {
    this.#source.logger.warn(
      'the API server returned to an earlier state, for example after a restore; the reflector listed all objects again',
      {
        source: this.#source.name,
        before,
        now,
      },
    );
  }

  #apply(event: StreamEvent<T>, isOrdered: boolean): void {
    const isNewest = event.resourceVersion !== '' && (isOrdered || event.type !== 'ADDED');
    const resourceVersion = isNewest ? event.resourceVersion : this.#resourceVersion;
    const isRepeated = event.resourceVersion === this.#resourceVersion && event.resourceVersion !== '';
    // Sets the version before the target is called, because handlers of the target can read the version.
    this.#resourceVersion = resourceVersion;
    this.#history.saw(event);
    if (event.type === 'BOOKMARK') this.#target.bookmark(resourceVersion);
    else if (event.type === 'DELETED') this.#target.remove(event.object, resourceVersion);
    else this.#target.put(event.object, resourceVersion);
    if (!isRepeated) this.#recovered();
  }

  #afterFailure(state: Attempt, error: unknown): ReflectorState {
    this.#set({ lastError: error });
    const failure = failureOf(error);
    const { name } = state;
    if (name === 'watching') {
      const again =
        failure === 'busy' || failure === 'connection' || (failure === 'internal' && this.#internalErrors.allows());
      if (failure === 'expired') this.#debug('a watch expired', error);
      else this.#reportFailure('watch', error);
      if (again) this.#history.lostConnection(this.#resourceVersion);
      return this.#wait(again ? 'watching' : this.#start().name);
    }
    if (failure === 'expired' && !this.#isVersionLost) {
      this.#debug('the API server does not know the requested resourceVersion: listing the most recent version', error);
      this.#isVersionLost = true;
      return { name, resourceVersion: '' };
    }
    if (name === 'streaming' && failure !== 'busy' && failure !== 'connection') {
      this.#debug('a streaming list failed: using a paged list', error);
      return this.#list();
    }
    this.#reportFailure('list', error);
    return this.#wait(this.#start().name);
  }

  #wait(next: 'listing' | 'streaming' | 'watching'): ReflectorState {
    const { outage } = this.#source.transport;
    const delayMs = this.#backOff.nextMs();
    return { name: 'waiting', delayMs: outage.isOpen ? Math.min(delayMs, MAX_OUTAGE_DELAY_MS) : delayMs, next };
  }

  /** Waits for the delay. If an outage of the API server ends during the delay, waits only for a short random time after the end. */
  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    const { clock, transport } = this.#source;
    const wake = new AbortController();
    const forget = transport.outage.onEnd(() => wake.abort());
    const endsMs = clock.monotonicMs() + delayMs;
    try {
      await clock.sleep(`${delayMs}ms`, AbortSignal.any([signal, wake.signal]));
    } catch (error) {
      if (signal.aborted) throw error;
      const restMs = Math.max(endsMs - clock.monotonicMs(), 0);
      await clock.sleep(`${Math.min(restMs, WAKE_SPREAD_MS * this.#random())}ms`, signal);
    } finally {
      forget();
    }
  }

  #watchLimits(): { readonly timeoutSeconds: number; readonly silenceMs: number } {
    const min = Math.max(this.#options.minWatchSeconds ?? MIN_WATCH_SECONDS, MIN_WATCH_SECONDS);
    return { timeoutSeconds: Math.floor(min * (1 + this.#random())), silenceMs: this.#options.silenceMs ?? SILENCE_MS };
  }

  /** Logs a problem once, and again if its code changes. Logs the first of consecutive brief failures at level debug. */
  #reportFailure(verb: AccessVerb, error: unknown): void {
    const problem = accessProblem(error, verb, this.#source);
    this.#set({ problem });
    const level = this.#status.synced ? 'warn' : 'error';
    const { code } = problem;
    const source = this.#source.name;
    // A brief failure is an overload of the server or a broken connection. The first of several in a row is logged at level debug.
    const isBrief = failureOf(error) === 'busy' || code === 'SERVER_UNREACHABLE';
    const isFirst = !this.#hadBriefFailure;
    if (isBrief) this.#hadBriefFailure = true;
    if (isBrief && isFirst) return this.#debug(problem.message, error);
    const report: WriteLine = (more) => {
      const before = this.#reported;
      this.#reported = { code, verb: before?.verb === 'watch' ? 'watch' : verb };
      // The message is sufficient. The stack is not logged, because it contains only internal code.
      if (before?.code !== code)
        this.#source.logger[level](`${problem.message}; trying again`, { source, code, ...more });
    };
    this.#debug(problem.message, error);
    // The transport logs an outage of the whole server once, instead of one line per kind.
    if (!isTakenByOutage(error, report)) report({});
  }

  #recovered(): void {
    this.#hadBriefFailure = false;
    if (this.#reported === undefined) return;
    this.#reported = undefined;
    this.#source.logger.info(`watch of ${this.#source.name} recovered`, { source: this.#source.name });
  }

  #debug(message: string, error: unknown): void {
    this.#source.logger.debug(message, { source: this.#source.name, error });
  }

  #set(change: Partial<ReflectorStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#options.onStatus?.(this.status);
  }
}
