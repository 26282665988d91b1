import type { Clock, Timer } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { isConnectionRefused } from './retry.js';
import { tlsErrorOf } from './tls-error.js';

/** A broken connection is often replaced at once. So an outage that begins with one is logged only after this time. */
const UNCERTAIN_MS = 1000;
/** While an outage lasts, a line with its counts is logged at this interval. */
const COUNT_INTERVAL_MS = 60_000;

/** The codes of errors of requests that got no answer. */
const UNANSWERED: ReadonlySet<string> = new Set(['REQUEST_FAILED', 'REQUEST_TIMEOUT']);

/** Errors of requests, by the transport whose outage they belong to. */
const outages = new WeakMap<object, ServerOutage>();

/** What an outage is about, and where it is logged. */
export interface ServerOutageOptions {
  /** The URL of the API server. */
  readonly server: string;
  readonly clock: Clock;
  /** @default nothing is logged */
  readonly logger: Logger | undefined;
}

/**
 * Knows whether the API server answers. An outage begins with a request that gets no answer and ends with the next answer. It is logged
 * with one line at its beginning, one line at its end, and one line with counts each minute. Lines that would only repeat it are counted
 * and not logged: see `logFailure`.
 */
export class ServerOutage {
  readonly #options: ServerOutageOptions;
  readonly #onEnd = new Set<() => void>();
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** When it began; undefined while the server answers. */
  #since: number | undefined;
  #isLogged = false;
  #requests = 0;
  #lines = 0;
  #timer: Timer | undefined;

  constructor(options: ServerOutageOptions) {
    this.#options = options;
  }

  /** Whether the last that is known of the server is a request without an answer. */
  get isOpen(): boolean {
    return this.#since !== undefined;
  }

  /** Notes an answer of the server, whatever its status. Ends the outage. */
  answered(): void {
    const { clock, logger, server } = this.#options;
    this.#answeredAt = clock.monotonicMs();
    if (this.#since === undefined) return;
    const fields = this.#counts();
    const isLogged = this.#isLogged;
    this.#reset();
    if (isLogged) logger?.info(`the API server at ${server} answers again`, { outage: 'end', ...fields });
    const listeners = [...this.#onEnd];
    for (const listener of listeners) listener();
  }

  /**
   * Notes how a request failed that began at this time. Only errors of requests without an answer count. A request that timed out counts
   * only if no other request was answered since its beginning: a server that answers others has no outage.
   */
  failed(error: unknown, beganMs: number): void {
    if (!(error instanceof KubewrightError) || !UNANSWERED.has(error.code) || tlsErrorOf(error) !== undefined) return;
    outages.set(error, this);
    const isCertain = isConnectionRefused(error) || error.code !== 'REQUEST_FAILED';
    if (this.#since === undefined) {
      if (error.code === 'REQUEST_TIMEOUT' && this.#answeredAt > beganMs) return;
      this.#since = this.#options.clock.monotonicMs();
    }
    this.#requests++;
    if (this.#isLogged) return;
    if (isCertain) this.#log(error);
    else this.#timer ??= this.#options.clock.schedule(UNCERTAIN_MS, () => this.#log(error));
  }

  /** Counts a line that is not logged because of the outage. */
  countLine(): void {
    this.#lines++;
  }

  /** Calls back at the end of the outage. Returns a function that removes the callback. */
  onEnd(listener: () => void): () => void {
    this.#onEnd.add(listener);
    return () => void this.#onEnd.delete(listener);
  }

  /** Stops the timer. Nothing is logged anymore. */
  close(): void {
    this.#reset();
    this.#onEnd.clear();
  }

  #log(error: Error): void {
    const { logger, server } = this.#options;
    this.#isLogged = true;
    this.#timer?.cancel();
    logger?.error(
      `the API server at ${server} does not answer: ${messageOf(error)}; requests are sent again with back-off, and errors that follow from this are counted instead of logged; check that an API server answers at this address`,
      { outage: 'begin', code: 'SERVER_UNREACHABLE' },
    );
    this.#countLater();
  }

  #countLater(): void {
    const { clock, logger, server } = this.#options;
    this.#timer = clock.schedule(COUNT_INTERVAL_MS, () => {
      logger?.warn(`the API server at ${server} still does not answer`, { outage: 'count', ...this.#counts() });
      this.#countLater();
    });
  }

  #counts(): { readonly seconds: number; readonly failedRequests: number; readonly linesNotLogged: number } {
    const ms = this.#options.clock.monotonicMs() - (this.#since ?? 0);
    return { seconds: Math.round(ms / 1000), failedRequests: this.#requests, linesNotLogged: this.#lines };
  }

  #reset(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#since = undefined;
    this.#isLogged = false;
    this.#requests = 0;
    this.#lines = 0;
  }
}

/** The outage that an error follows from, directly or by its causes; undefined if there is none, or if it is over. */
export function outageOf(error: unknown): ServerOutage | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    const outage = outages.get(at);
    if (outage !== undefined) return outage.isOpen ? outage : undefined;
    if (at instanceof AggregateError) return at.errors.map(outageOf).find((one) => one !== undefined);
  }
  return undefined;
}

/** A line about an error. */
export interface FailureLine {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Logs a line about an error. If the error follows from an outage of the API server that lasts, the line is counted by the outage and
 * logged at the level debug only. Every component that logs errors of requests calls this.
 */
export function logFailure(logger: Logger, error: unknown, { level, message, fields }: FailureLine): void {
  const outage = outageOf(error);
  if (outage === undefined) return logger[level](message, fields);
  outage.countLine();
  logger.debug(message, fields);
}
