import type { IncomingMessage, ServerResponse } from 'node:http';
import { KubewrightError } from '@kubewright/api/errors';
import { maskText } from '@kubewright/api/secrets';
import type { Logger } from '../log/logger.js';
import { type CheckResult, type HealthCheck, runCheck, runChecks } from './health-check.js';
import { sendText } from './http-endpoint.js';

/** The check that runs if no checks were added. It passes if the process can respond. */
const PING: HealthCheck = { name: 'ping', check: () => undefined };
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The health checks of one path. A request runs all checks, or one check by its name. */
export class HealthChecks {
  readonly #title: string;
  readonly #logger: Logger;
  readonly #checks = new Map<string, HealthCheck>();
  /** The logged reason of each failing check, by the name of the check. */
  readonly #reported = new Map<string, string>();

  /** `title` is the name in responses and logs, such as 'readyz'. */
  constructor(title: string, logger: Logger) {
    this.#title = title;
    this.#logger = logger;
  }

  /** Adds a check. Throws INVALID_HEALTH_CHECK if the name is already used or is not valid in a URL path. */
  add(check: HealthCheck): void {
    if (!NAME.test(check.name)) {
      throw invalid(check.name, "use letters, digits, '-', '_' and '.'");
    }
    if (this.#checks.has(check.name)) throw invalid(check.name, `${this.#title} already has a check with this name`);
    this.#checks.set(check.name, check);
  }

  /** Responds to a request. Runs the check with the given name, or all checks if the name is empty. */
  async answer(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    response.setHeader('cache-control', 'no-cache, private');
    if (name === '') return this.#answerAll(request, response);
    const check = this.#all.find((known) => known.name === name);
    if (check === undefined) return sendText(response, 404, `unknown check '${name}'\n`);
    const result = await runCheck(check, request);
    this.#log([result]);
    const { reason } = result;
    if (reason === undefined) sendText(response, 200, 'ok');
    // Masks credentials, because every client that can connect to the port receives the response.
    else sendText(response, 500, `internal server error: ${maskText(reason)}\n`);
  }

  get #all(): readonly HealthCheck[] {
    return this.#checks.size === 0 ? [PING] : [...this.#checks.values()];
  }

  /**
   * Runs all checks. If a check failed or the query contains `verbose`, the response lists all checks. The list contains no reasons,
   * because the client is not authenticated.
   */
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

  /** Logs a failed check when it starts to fail and when its reason changes. Also logs when the check passes again. */
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
function invalid(name: string, remedy: string): KubewrightError {
  return new KubewrightError('INVALID_HEALTH_CHECK', `cannot add health check '${name}': ${remedy}`);
}
