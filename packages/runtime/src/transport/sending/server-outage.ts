import type { Clock, Timer } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Logger } from '../../log/logger.js';
import { OutageEpisode, type WriteLine } from './outage-episode.js';
import { isConnectionRefused } from './retry.js';
import { tlsErrorOf } from '../connection/tls-error.js';

/** Broken connections are often replaced at once. An outage that begins with a broken connection is logged only after this time. */
const UNCLEAR_MS = 1000;
/** A timer that fires later than this follows a blocked event loop: answers of the server may wait to be read. */
const LATE_MS = 20;
/** A decision whose timer fires late is postponed by this time, in which waiting answers are read. */
const POSTPONE_MS = 100;
/** A decision is postponed at most this often, so that a process that is always busy logs outages too. */
const MAX_POSTPONEMENTS = 10;
/** While an outage lasts, a line with its counts is logged at this interval. */
const COUNT_INTERVAL_MS = 60_000;

/** The codes of errors of requests that got no answer. */
const UNANSWERED: ReadonlySet<string> = new Set(['REQUEST_FAILED', 'REQUEST_TIMEOUT']);

/** The outage episodes of request errors. */
const episodes = new WeakMap<object, OutageEpisode>();

/** The options of a `ServerOutage`. */
export interface ServerOutageOptions {
  /** The URL of the API server. */
  readonly server: string;
  readonly clock: Clock;
  /** @default no logger */
  readonly logger: Logger | undefined;
}

/**
 * Tracks whether the API server answers. An outage begins with a request that gets no answer and ends with the next answer. An outage is
 * logged with one line at its beginning, one line at its end, and one line with counts each minute. Lines that would only repeat the outage
 * are counted and not logged: see `logFailure`.
 */
export class ServerOutage {
  readonly #options: ServerOutageOptions;
  readonly #onEnd = new Set<() => void>();
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** The current outage. */
  #open: OutageEpisode | undefined;
  /** The last outage, whether or not it is over. */
  #last: OutageEpisode | undefined;
  /** The episodes that are neither logged nor settled, each with the timer for the decision. */
  readonly #unclear = new Map<OutageEpisode, Timer>();
  #countTimer: Timer | undefined;

  constructor(options: ServerOutageOptions) {
    this.#options = options;
  }

  /** Whether the latest information about the server is a request without an answer. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Records an answer of the server, with any status, to a request that was sent at this time. Ends the outage, unless the request was
   * sent before the outage began: such an answer may be older than the outage.
   */
  answered(sentMs: number): void {
    const { clock, logger, server } = this.#options;
    const nowMs = clock.monotonicMs();
    this.#answeredAt = nowMs;
    const ended = this.#open;
    if (ended === undefined || sentMs < ended.beganMs) return;
    this.#open = undefined;
    ended.end(nowMs);
    if (ended.isLogged) {
      this.#countTimer?.cancel();
      logger?.info(`the API server at ${server} is responding again`, { outage: 'end', ...ended.counts(nowMs) });
    }
    const listeners = [...this.#onEnd];
    for (const listener of listeners) listener();
  }

  /**
   * Records the error of a request that was sent at this time. Counts only errors of requests without an answer. A request that was sent
   * before the end of the last outage belongs to that outage. A request that timed out counts only if no other request was answered since
   * it was sent, because a server that answers other requests does not have an outage.
   */
  failed(error: unknown, sentMs: number): void {
    if (!(error instanceof KubewrightError) || !UNANSWERED.has(error.code) || tlsErrorOf(error) !== undefined) return;
    const isTimeout = error.code === 'REQUEST_TIMEOUT';
    if (!this.#last?.includes(sentMs)) {
      if (isTimeout && this.#answeredAt > sentMs) return;
      this.#begin(error);
    }
    const episode = this.#last;
    if (episode === undefined) return;
    episodes.set(error, episode);
    if (episode !== this.#open) return;
    episode.countRequest();
    if (!episode.isLogged && (isTimeout || isConnectionRefused(error))) this.#log(episode, error);
  }

  /** Calls back at the end of the outage. Returns a function that removes the callback. */
  onEnd(listener: () => void): () => void {
    this.#onEnd.add(listener);
    return () => void this.#onEnd.delete(listener);
  }

  /** Stops the timers, and logs the held lines. Logs nothing afterwards. */
  close(): void {
    this.#countTimer?.cancel();
    for (const [episode, timer] of this.#unclear) {
      timer.cancel();
      episode.settle();
    }
    this.#unclear.clear();
    this.#open = undefined;
    this.#onEnd.clear();
  }

  #begin(error: Error): void {
    const episode = new OutageEpisode(this.#options.clock.monotonicMs());
    this.#open = episode;
    this.#last = episode;
    this.#decideAfter(UNCLEAR_MS, episode, error);
  }

  /** Logs or settles the episode after the delay. Postpones the decision if the event loop was blocked when the delay ended. */
  #decideAfter(delayMs: number, episode: OutageEpisode, error: Error, postponements = 0): void {
    const { clock } = this.#options;
    const dueMs = clock.monotonicMs() + delayMs;
    const decide = (): void => {
      const isLate = clock.monotonicMs() - dueMs > LATE_MS;
      if (isLate && postponements < MAX_POSTPONEMENTS)
        return this.#decideAfter(POSTPONE_MS, episode, error, postponements + 1);
      this.#unclear.delete(episode);
      if (episode === this.#open) this.#log(episode, error);
      else episode.settle();
    };
    this.#unclear.set(episode, clock.schedule(delayMs, decide));
  }

  #log(episode: OutageEpisode, error: Error): void {
    const { logger, server } = this.#options;
    this.#unclear.get(episode)?.cancel();
    this.#unclear.delete(episode);
    episode.logged();
    logger?.error(
      `the API server at ${server} is not responding: ${messageOf(error)}; requests are retried with back-off, and resulting errors are counted instead of logged; check that an API server answers at this address`,
      { outage: 'begin', code: 'SERVER_UNREACHABLE' },
    );
    this.#countLater(episode);
  }

  #countLater(episode: OutageEpisode): void {
    const { clock, logger, server } = this.#options;
    this.#countTimer = clock.schedule(COUNT_INTERVAL_MS, () => {
      const counts = episode.counts(clock.monotonicMs());
      logger?.warn(`the API server at ${server} is still not responding`, { outage: 'count', ...counts });
      this.#countLater(episode);
    });
  }
}

/** Whether an error follows, directly or by its causes, from a logged outage of the API server. The outage may have ended. */
export function isOfLoggedOutage(error: unknown): boolean {
  return episodeOf(error)?.isLogged ?? false;
}

function episodeOf(error: unknown): OutageEpisode | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    const episode = episodes.get(at);
    if (episode !== undefined) return episode;
    if (at instanceof AggregateError) return at.errors.map(episodeOf).find((one) => one !== undefined);
  }
  return undefined;
}

/**
 * Passes a line about an error to the outage that caused the error. Returns true if the caller must not log the line: the outage counts
 * it, and may write it later. See `OutageEpisode`.
 */
export function isTakenByOutage(error: unknown, write: WriteLine): boolean {
  return episodeOf(error)?.take(write) ?? false;
}

/** A line about an error. */
export interface FailureLine {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Logs a line about an error. If the error follows from an outage of the API server, the outage counts the line, and the line is logged
 * only at level debug. If the outage ends before it is logged, the first of its lines is logged then, with the number of the other lines.
 * Every component that logs errors of requests calls this function.
 */
export function logFailure(logger: Logger, error: unknown, { level, message, fields }: FailureLine): void {
  const write: WriteLine = (more) => logger[level](message, { ...fields, ...more });
  if (isTakenByOutage(error, write)) logger.debug(message, fields);
  else write({});
}
