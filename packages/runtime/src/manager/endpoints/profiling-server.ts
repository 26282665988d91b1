import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../../log/logger.js';
import { HttpEndpoint, pathOf, sendText } from '../../serving/http-endpoint.js';
import { listenPort } from '../../serving/listen-port.js';
import type { ListenOptions, ServedEndpoint } from '../../serving/served-endpoint.js';
import { cpuProfile, heapProfile } from './profile.js';

/** The options of the profiling server. */
export interface ProfilingServerOptions extends ListenOptions {
  /** The port from 0 to 65535. 0 selects a free port. @default 6060 */
  readonly port?: number;
  /**
   * The address to listen on. By default, other hosts cannot connect, because profiles contain internals of the program. @default
   * '127.0.0.1'
   */
  readonly host?: string;
}

const LONGEST_SECONDS = 300;
const PROFILES = {
  '/debug/pprof/profile': { make: cpuProfile, file: 'process.cpuprofile', seconds: 30 },
  '/debug/pprof/heap': { make: heapProfile, file: 'process.heapprofile', seconds: 5 },
} as const;

/**
 * Serves profiles of this process at the same paths as Go programs: a CPU profile at `/debug/pprof/profile`, and an allocation profile at
 * `/debug/pprof/heap`. `?seconds=N` sets the duration, up to 300 s (default: 30 s for the CPU profile, 5 s for the allocation profile).
 * Records one profile at a time, and responds with 409 to further requests. The files have the formats of V8, not of pprof. Open them in
 * Chrome DevTools or in an editor.
 */
export class ProfilingServer implements ServedEndpoint {
  readonly #clock: Clock;
  readonly #endpoint: HttpEndpoint;
  readonly #closing = new AbortController();
  #busy = false;

  /** Creates the server without listening. Throws INVALID_SERVING_OPTIONS. */
  constructor(options: ProfilingServerOptions, using: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = using.clock;
    const port = listenPort('profiling.port', options.port, 6060);
    this.#endpoint = new HttpEndpoint(
      { name: 'profiling', portOption: 'profiling.port', port, host: options.host ?? '127.0.0.1' },
      { ...using, handler: (request, response) => this.#answer(request, response) },
    );
  }

  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#endpoint.address;
  }
  listen(): Promise<void> {
    return this.#endpoint.listen();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new KubewrightError('STOPPED', 'the manager is stopping'));
    await this.#endpoint[Symbol.asyncDispose]();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    const profile = Object.hasOwn(PROFILES, path) ? PROFILES[path as keyof typeof PROFILES] : undefined;
    if (profile === undefined)
      return sendText(response, 404, `not found; available: ${Object.keys(PROFILES).join(' and ')}\n`);
    const given = new URL(request.url ?? '/', 'http://localhost').searchParams.get('seconds');
    const seconds = Number(given ?? profile.seconds);
    if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
      return sendText(response, 400, `seconds is '${given}': use a number above 0, up to ${LONGEST_SECONDS}\n`);
    }
    if (this.#busy) return sendText(response, 409, 'a profile is already being recorded\n');
    this.#busy = true;
    try {
      const text = await profile.make(this.#clock, seconds, this.#closing.signal);
      response.setHeader('content-disposition', `attachment; filename="${profile.file}"`);
      sendText(response, 200, text);
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
      sendText(response, 503, 'the manager is stopping\n');
    } finally {
      this.#busy = false;
    }
  }
}
