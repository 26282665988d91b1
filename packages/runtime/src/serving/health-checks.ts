import type { IncomingMessage, ServerResponse } from 'node:http';
import { KubewrightError } from '@kubewright/api/errors';
import { maskText } from '@kubewright/api/secrets';
import type { Logger } from '../log/logger.js';
import { type CheckResult, type HealthCheck, runChecks } from './health-check.js';
import { sendText } from './http-endpoint.js';

/** The check that runs if no checks are added. Passes whenever the process answers the request. */
const PING: HealthCheck = { name: 'ping', check: () => undefined };
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The checks under one path. Requests can run all checks or one check by name. */
export class HealthChecks {
  readonly #title: string;
  readonly #logger: Logger;
  readonly #checks = new Map<string, HealthCheck>();
  /** The reason of each failed check, by name, from its last run. */
  readonly #reported = new Map<string, string>();

  /** The title, such as 'readyz', appears in responses. */
  constructor(title: string, logger: Logger) {
    this.#title = title;
    this.#logger = logger;
  }

  /** Adds a check. Throws INVALID_HEALTH_CHECK for a name that is taken or is not valid in a path. */
  add(check: HealthCheck): void {
    if (!NAME.test(check.name)) {
      throw invalid(check.name, "use letters, digits, '-', '_' and '.'");
    }
    if (this.#checks.has(check.name)) throw invalid(check.name, `${this.#title} already has a check with this name`);
    this.#checks.set(check.name, check);
  }

  /** Answers a request for all checks, or for the named check. */
  async answer(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    response.setHeader('cache-control', 'no-cache, private');
    if (name === '') return this.#answerAll(request, response);
    const check = this.#all.find((known) => known.name === name);
    if (check === undefined) return sendText(response, 404, `unknown check '${name}'\n`);
    const results = await runChecks([check], request);
    this.#log(results);
    const reason = results[0]?.reason;
    if (reason === undefined) sendText(response, 200, 'ok');
    // Masks credentials, because every client that reaches the port can read the answer.
    else sendText(response, 500, `internal server error: ${maskText(reason)}\n`);
  }

  get #all(): readonly HealthCheck[] {
    return this.#checks.size === 0 ? [PING] : [...this.#checks.values()];
  }

  /** Reports the failed checks without reasons, because the client is not authenticated. */
  async #answerAll(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const excluded = new Set(query.getAll('exclude'));
    const results = await runChecks(this.#all, request, excluded);
    this.#log(results);
    const failed = results.some(({ reason }) => reason !== undefined);
    if (!failed && !query.has('verbose')) return sendText(response, 200, 'ok');
    const unknown = [...excluded].filter((name) => !results.some((result) => result.name === name));
    const lines = [
      ...results.map(lineOf),
      ...(unknown.length === 0
        ? []
        : [`warn: some health checks cannot be excluded: no matches for ${unknown.map((n) => `"${n}"`).join(', ')}`]),
      `${this.#title} check ${failed ? 'failed' : 'passed'}`,
    ];
    sendText(response, failed ? 500 : 200, `${lines.join('\n')}\n`);
  }

  /** Logs a failed check with its reason once, and logs the recovery. */
  #log(results: readonly CheckResult[]): void {
    for (const { name, reason, excluded } of results) {
      if (excluded) continue;
      const fields = { endpoint: this.#title, check: name };
      if (reason !== undefined && this.#reported.get(name) !== reason) {
        this.#logger.warn('a health check failed', { ...fields, reason });
        this.#reported.set(name, reason);
      } else if (reason === undefined && this.#reported.delete(name)) {
        this.#logger.info('a health check recovered', fields);
      }
    }
  }
}

function lineOf({ name, reason, excluded }: CheckResult): string {
  if (excluded) return `[+]${name} excluded: ok`;
  return reason === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
}
function invalid(name: string, cure: string): KubewrightError {
  return new KubewrightError('INVALID_HEALTH_CHECK', `cannot add health check '${name}': ${cure}`);
}
