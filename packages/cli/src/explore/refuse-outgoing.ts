import { Server } from 'node:net';
import { KubewrightError } from '@kubewright/api/errors';
import { refuseConnections } from '../project/inspection/no-connections.js';
import { placeIn } from '../project/inspection/place-in.js';

/**
 * Refuses the connections of this process, except to its own servers. The trials would otherwise change external systems, and could not be
 * repeated.
 *
 * @param root the folder of the project, whose source is named in the message
 * @param onRefused called once, with the message of the first refused connection
 */
export function refuseOutgoing(root: string, onRefused: (message: string) => void): void {
  const servers = ownServers();
  let isReported = false;
  refuseConnections(({ host, port }) => {
    const isOwn = [...servers].some((server) => {
      const address = server.address();
      return typeof address === 'object' && address?.port === port;
    });
    if (isOwn && isLocal(host)) return undefined;
    const target = port === undefined ? host : `${host}:${port}`;
    const place = placeIn(root, new Error('connect'));
    const error = new KubewrightError(
      'EXTERNAL_CONNECTION',
      `the operator connects to ${target}${place === undefined ? '' : ` at ${place}`}, which an exploration refuses; call explore in a test, and provide a fake of the system with the option external`,
    );
    if (!isReported) onRefused(error.message);
    isReported = true;
    return error;
  });
}

/** Returns a set that always contains the servers of this process that started to listen after this call and are not closed. */
function ownServers(): ReadonlySet<Server> {
  const servers = new Set<Server>();
  const { listen } = Server.prototype as { readonly listen: (this: Server, ...args: readonly unknown[]) => Server };
  Server.prototype.listen = function add(this: Server, ...args: unknown[]): Server {
    servers.add(this);
    this.once('close', () => servers.delete(this));
    return listen.apply(this, args);
  };
  return servers;
}

function isLocal(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}
