import type { KubeObject } from '@kubewright/api';
import type { CacheOptions } from '../cache/selection/cache-options.js';
import { InformerCache } from '../cache/informer-cache.js';
import type { ReflectorOptions } from '../cache/reflector/reflector.js';
import { resolveCacheOptions } from '../cache/selection/resolve-cache-options.js';
import { Discovery } from '../transport/discovery/discovery.js';
import { Transport } from '../transport/sending/transport.js';
import { ManualClock } from './manual-clock.js';
import { RecordingLogger } from './recording-logger.js';
import { type Exchange, ScriptedServer } from './scripted-server.js';

export interface CacheBenchOptions extends CacheOptions {
  /** The options of the reflectors. @default lists without a stream, and no jitter */
  readonly reflector?: Partial<ReflectorOptions<KubeObject>>;
}

/** A cache with a scripted server and a manual clock. */
export class CacheBench implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly server: ScriptedServer;
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly cache: InformerCache;
  readonly #waiting: Exchange[] = [];

  private constructor(server: ScriptedServer, { reflector, ...options }: CacheBenchOptions) {
    this.server = server;
    this.transport = new Transport({ server: server.url });
    this.discovery = new Discovery(this.transport);
    this.cache = new InformerCache({
      transport: this.transport,
      discovery: this.discovery,
      clock: this.clock,
      logger: this.logger,
      options: resolveCacheOptions(options),
      reflector: { streaming: false, random: () => 0, ...reflector },
    });
  }

  static async start(options: CacheBenchOptions = {}): Promise<CacheBench> {
    return new CacheBench(await ScriptedServer.start(), options);
  }

  /** Resolves with the next request for which `isMatch` returns true. Other requests are returned by later calls. */
  async request(isMatch: (exchange: Exchange) => boolean): Promise<Exchange> {
    for (;;) {
      const at = this.#waiting.findIndex(isMatch);
      if (at >= 0) return this.#waiting.splice(at, 1)[0] as Exchange;
      this.#waiting.push(await this.server.next());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cache.close();
    await this.transport.close();
    await this.server.close();
  }
}
