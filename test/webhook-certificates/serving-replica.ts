import { once } from 'node:events';
import { SystemClock } from '@kubewright/api/clock';
import { type ServingCertificates, WebhookServer } from '@kubewright/runtime';
import type { Replica, ReplicaOptions } from './replica.js';
import type { ShopCluster } from './shop-cluster.js';

/** The path of the webhook that a replica serves. */
export const WEBHOOK_PATH = '/validate';

/** A replica with the webhook server of the runtime, which uses the current key pair for new connections. */
export class ServingReplica implements AsyncDisposable {
  readonly replica: Replica;
  readonly #server: WebhookServer;

  private constructor(replica: Replica, server: WebhookServer) {
    this.replica = replica;
    this.#server = server;
  }
  static async start(cluster: ShopCluster, options: Partial<ReplicaOptions>): Promise<ServingReplica> {
    const replica = await cluster.startReplica(options);
    const { metrics, logger } = replica;
    const certificates = startedCertificates(replica);
    // The deadlines of the server are in real time. Only the certificates use the clock of the test.
    const server = new WebhookServer(
      { host: '127.0.0.1', port: 0, certificates },
      { clock: new SystemClock(), logger, metrics },
    );
    server.handle(WEBHOOK_PATH, async (request, response) => {
      request.resume();
      await once(request, 'end');
      response.end('{}');
    });
    await server.listen();
    return new ServingReplica(replica, server);
  }
  get port(): number {
    return this.#server.address?.port ?? 0;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** The certificates of a replica that has already started. The replica disposes of them. */
function startedCertificates({ served, certificates }: Replica): ServingCertificates {
  const [first] = served.slice(-1);
  if (first === undefined) throw new Error('the replica has no certificate yet');
  return {
    start: async () => served.at(-1) ?? first,
    onChange: (listener) => certificates.onChange(listener),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
