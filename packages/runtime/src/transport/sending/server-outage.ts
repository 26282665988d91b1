import type { Clock, Timer } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Logger } from '../../log/logger.js';
import { OutageEpisode, type WriteLine } from './outage-episode.js';
import { isConnectionRefused } from './retry.js';
import { tlsErrorOf } from '../connection/tls-error.js';

/**
 * The time in milliseconds after which a broken connection is logged as an outage if the server has not responded again. Broken connections
 * are often replaced immediately.
 */
const UNCLEAR_MS = 1000;
/** The delay of a timer, in milliseconds, that indicates a blocked event loop. Responses of the server may then be waiting to be read. */
const LATE_MS = 20;
/** The time in milliseconds by which a decision is postponed if its timer was late, so that waiting responses can be read. */
const POSTPONE_MS = 100;
/** The maximum number of times a decision is postponed, so that outages are also logged in a process that is always busy. */
const MAX_POSTPONEMENTS = 10;
/** The interval in milliseconds at which a line with counts is logged during an outage. */
const COUNT_INTERVAL_MS = 60_000;

/** The codes of errors of requests that got no response. */
const UNANSWERED: ReadonlySet<string> = new Set(['REQUEST_FAILED', 'REQUEST_TIMEOUT']);

/** The episode to which each request error belongs. */
const episodes = new WeakMap<object, OutageEpisode>();

/** The options of a `ServerOutage`. */
export interface ServerOutageOptions {
  /** The URL of the API server. */
  readonly server: string;
  readonly clock: Clock;
  /** The logger for the start, the end and the counts of outages. @default no logger */
  readonly logger: Logger | undefined;
}

/**
 * Tracks whether the API server responds. An outage starts with a request that gets no response, and ends with the next response. Logs one
 * line at the start, one line at the end, and one line with counts every minute in between. During an outage, log lines about errors of the
 * outage are counted instead of logged; see `logFailure`.
 */
export class ServerOutage {
  readonly #options: ServerOutageOptions;
  readonly #onEnd = new Set<() => void>();
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** The current outage. Undefined if the server responds. */
  #open: OutageEpisode | undefined;
  /** The current or the last outage. */
  #last: OutageEpisode | undefined;
  /** The episodes for which it is not decided yet whether they are outages, each with the timer of the decision. */
  readonly #unclear = new Map<OutageEpisode, Timer>();
  #countTimer: Timer | undefined;

  constructor(options: ServerOutageOptions) {
    this.#options = options;
  }

  /** Whether there is an outage: a request got no response, and no later request has got a response yet. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Records a response of the server, with any status. `sentMs` is the monotonic time at which the request was sent. Ends an outage, except
   * if the request was sent before the outage started, because the response may then be older than the outage.
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
   * Records the error of a request. `sentMs` is the monotonic time at which the request was sent. Ignores the error if the request got a
   * response, or if the certificate of the server is not trusted. If the request was sent before the end of the last outage, the error
   * belongs to that outage. Ignores a timeout if another request got a response after this request was sent, because the server then has no
   * outage.
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

  /** Adds a listener for the end of an outage. Returns a function that removes the listener. */
  onEnd(listener: () => void): () => void {
    this.#onEnd.add(listener);
    return () => void this.#onEnd.delete(listener);
  }

  /** Stops the timers and logs the stored lines. Afterwards, logs nothing. */
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

  /** After the delay, decides whether the episode is an outage. Postpones the decision if the event loop was blocked. */
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

/** Whether a logged outage of the API server is the cause of an error. The outage may already have ended. */
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
 * Passes a log line about an error to the outage that caused the error. Returns true if the caller must not log the line, because the
 * outage counts the line and may write it later. See `OutageEpisode`.
 */
export function isTakenByOutage(error: unknown, write: WriteLine): boolean {
  return episodeOf(error)?.take(write) ?? false;
}

/** A log line about an error. */
export interface FailureLine {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Logs an error. All components use this function for errors of requests. If an outage of the API server is the cause, the outage counts
 * the line, and the line is logged only at level debug. If the outage turns out to be a short interruption, the first line of the outage is
 * logged later, with the number of similar lines.
 */
export function logFailure(logger: Logger, error: unknown, { level, message, fields }: FailureLine): void {
  const write: WriteLine = (more) => logger[level](message, { ...fields, ...more });
  if (isTakenByOutage(error, write)) logger.debug(message, fields);
  else write({});
}
