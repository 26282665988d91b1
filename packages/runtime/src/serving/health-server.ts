import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { HealthCheck } from './health-check.js';
import { HealthChecks } from './health-checks.js';
import { HttpEndpoint, pathOf, sendText } from './http-endpoint.js';
import { listenPort } from './listen-port.js';
import type { ListenOptions, ServedEndpoint } from './served-endpoint.js';

/** Where health is served, and what is asked. */
export interface HealthServerOptions extends ListenOptions {
  /** From 0 to 65535; 0 takes a free one. @default 8081 */
  readonly port?: number;
  /** @default '/healthz' */
  readonly livenessPath?: string;
  /** @default '/readyz' */
  readonly readinessPath?: string;
  /** Whether the process has to be started anew. @default none, which is to answer at all */
  readonly liveness?: readonly HealthCheck[];
  /** Whether it does its work, beside what the manager asks by itself. @default none */
  readonly readiness?: readonly HealthCheck[];
}

/**
 * Serves health to the kubelet. `/readyz` is 200 'ok', or 500 and the list of checks without reasons (these are logged);
 * `?verbose` gives the list in any case, `?exclude=name` leaves a check out; `/readyz/name` is one check, with its reason. The same
 * for `/healthz`.
 */
export class HealthServer implements ServedEndpoint {
  readonly #endpoint: HttpEndpoint;
  readonly #paths: ReadonlyMap<string, HealthChecks>;
  readonly #liveness: HealthChecks;
  readonly #readiness: HealthChecks;

  /** Throws INVALID_SERVING_OPTIONS and INVALID_HEALTH_CHECK. */
  constructor(options: HealthServerOptions, using: { readonly clock: Clock; readonly logger: Logger }) {
    const { port, livenessPath, readinessPath } = healthEndpoint(options);
    this.#liveness = new HealthChecks(livenessPath.slice(1), using.logger);
    this.#readiness = new HealthChecks(readinessPath.slice(1), using.logger);
    for (const check of options.liveness ?? []) this.#liveness.add(check);
    for (const check of options.readiness ?? []) this.#readiness.add(check);
    this.#paths = new Map([
      [livenessPath, this.#liveness],
      [readinessPath, this.#readiness],
    ]);
    this.#endpoint = new HttpEndpoint(
      { name: 'health', portOption: 'health.port', port, host: options.host },
      { ...using, handler: (request, response) => this.#answer(request, response) },
    );
  }

  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#endpoint.address;
  }
  /** Adds a check of liveness: one that fails has the process started anew. Throws INVALID_HEALTH_CHECK. */
  addLiveness(check: HealthCheck): void {
    this.#liveness.add(check);
  }
  /** Adds a check of readiness. Throws INVALID_HEALTH_CHECK. */
  addReadiness(check: HealthCheck): void {
    this.#readiness.add(check);
  }
  listen(): Promise<void> {
    return this.#endpoint.listen();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.#endpoint[Symbol.asyncDispose]();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    for (const [root, checks] of this.#paths) {
      if (path === root) return checks.answer(request, response, '');
      if (path.startsWith(`${root}/`)) return checks.answer(request, response, path.slice(root.length + 1));
    }
    sendText(response, 404, 'not found\n');
  }
}

/** On which port and by which paths. Throws INVALID_SERVING_OPTIONS. */
export function healthEndpoint({ port, livenessPath = '/healthz', readinessPath = '/readyz' }: HealthServerOptions): {
  readonly port: number;
  readonly livenessPath: string;
  readonly readinessPath: string;
} {
  for (const path of [livenessPath, readinessPath]) {
    if (!/^(\/[\w.-]+)+$/.test(path) || livenessPath === readinessPath) throw invalidPath(path);
  }
  return { port: listenPort('health.port', port, 8081), livenessPath, readinessPath };
}

function invalidPath(path: string): KubewrightError {
  return new KubewrightError(
    'INVALID_SERVING_OPTIONS',
    `cannot serve health at '${path}': give two different paths such as '/healthz' and '/readyz'`,
  );
}
