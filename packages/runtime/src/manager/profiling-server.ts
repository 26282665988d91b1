import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { HttpEndpoint, pathOf, sendText } from '../serving/http-endpoint.js';
import { listenPort } from '../serving/listen-port.js';
import type { ListenOptions, ServedEndpoint } from '../serving/served-endpoint.js';
import { cpuProfile, heapProfile } from './profile.js';

/** Where profiles are served. */
export interface ProfilingServerOptions extends ListenOptions {
  /** From 0 to 65535; 0 takes a free one. @default 6060 */
  readonly port?: number;
  /** An address of this machine; profiles tell much about a program. @default '127.0.0.1' */
  readonly host?: string;
}

const LONGEST_SECONDS = 300;
const PROFILES = {
  '/debug/pprof/profile': { make: cpuProfile, file: 'process.cpuprofile', seconds: 30 },
  '/debug/pprof/heap': { make: heapProfile, file: 'process.heapprofile', seconds: 5 },
} as const;

/**
 * Serves profiles of this process, under the paths that Go's programs have: `/debug/pprof/profile` is where time goes, and
 * `/debug/pprof/heap` where memory is allocated, each recorded for `?seconds=N`. The formats are those of V8, not of pprof: open
 * them in the developer tools of Chrome, or in an editor.
 */
export class ProfilingServer implements ServedEndpoint {
  readonly #clock: Clock;
  readonly #endpoint: HttpEndpoint;
  readonly #closing = new AbortController();
  #busy = false;

  /** Throws INVALID_SERVING_OPTIONS. */
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
    this.#closing.abort(new KubewrightError('STOPPED', 'the manager stops'));
    await this.#endpoint[Symbol.asyncDispose]();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    const profile = Object.hasOwn(PROFILES, path) ? PROFILES[path as keyof typeof PROFILES] : undefined;
    if (profile === undefined) return sendText(response, 404, `there is ${Object.keys(PROFILES).join(' and ')}\n`);
    const given = new URL(request.url ?? '/', 'http://localhost').searchParams.get('seconds');
    const seconds = Number(given ?? profile.seconds);
    if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
      return sendText(response, 400, `seconds is '${given}': write a number up to ${LONGEST_SECONDS}\n`);
    }
    if (this.#busy) return sendText(response, 409, 'a profile is being recorded already\n');
    this.#busy = true;
    try {
      const text = await profile.make(this.#clock, seconds, this.#closing.signal);
      response.setHeader('content-disposition', `attachment; filename="${profile.file}"`);
      sendText(response, 200, text);
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
      sendText(response, 503, 'the manager stops\n');
    } finally {
      this.#busy = false;
    }
  }
}
