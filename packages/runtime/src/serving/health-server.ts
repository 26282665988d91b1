import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { HealthCheck } from './health-check.js';
import { HealthChecks } from './health-checks.js';
import { HttpEndpoint, pathOf, sendText } from './http-endpoint.js';
import { listenPort } from './listen-port.js';
import type { ListenOptions, ServedEndpoint } from './served-endpoint.js';

/** The options of the health server. */
export interface HealthServerOptions extends ListenOptions {
  /** The port from 0 to 65535. 0 selects a free port. @default 8081 */
  readonly port?: number;
  /** The path of the liveness checks. @default '/healthz' */
  readonly livenessPath?: string;
  /** The path of the readiness checks. @default '/readyz' */
  readonly readinessPath?: string;
  /**
   * The liveness checks. If a check fails repeatedly, the kubelet restarts the container. @default none; the endpoint only reports that the
   * process answers
   */
  readonly liveness?: readonly HealthCheck[];
  /** The readiness checks, in addition to the built-in checks of the manager. @default none */
  readonly readiness?: readonly HealthCheck[];
}

/**
 * Serves health checks for the kubelet. `/readyz` returns 200 and 'ok', or 500 and the list of checks without the reasons, which are
 * logged. With `?verbose`, the list is always returned, and `?exclude=name` excludes a check. `/readyz/name` runs one check, and returns
 * 'ok' or the reason of the failure. The same applies to `/healthz`.
 */
export class HealthServer implements ServedEndpoint {
  readonly #endpoint: HttpEndpoint;
  readonly #paths: ReadonlyMap<string, HealthChecks>;
  readonly #liveness: HealthChecks;
  readonly #readiness: HealthChecks;

  /** Creates the server without listening. Throws INVALID_SERVING_OPTIONS and INVALID_HEALTH_CHECK. */
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
  /** Adds a liveness check. If the check fails repeatedly, the kubelet restarts the container. Throws INVALID_HEALTH_CHECK. */
  addLiveness(check: HealthCheck): void {
    this.#liveness.add(check);
  }
  /** Adds a readiness check. Throws INVALID_HEALTH_CHECK. */
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

/** Returns the port and the paths with defaults applied. Throws INVALID_SERVING_OPTIONS. */
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
    `cannot serve health checks at '${path}': use two different paths of letters, digits, '.', '_', '-' and '/', such as '/healthz' and '/readyz'`,
  );
}
