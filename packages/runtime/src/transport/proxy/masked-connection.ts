import { inspect } from 'node:util';
import type { Connection } from '../connection/connection.js';
import { IN_PROCESS } from '../connection/in-process-server.js';
import { describeProxy, proxyAddressOf } from './proxy-address.js';

const MASK = '<masked>';

/** Returns the content of a connection for logs, with secrets masked. */
function shownConnection(connection: Connection): object {
  const shown: Connection & { readonly [IN_PROCESS]?: unknown } = connection;
  const { token, basic, clientCertificate, credentials, proxy, [IN_PROCESS]: _server, ...open } = shown;
  return {
    ...open,
    ...(token === undefined ? {} : { token: MASK }),
    ...(basic === undefined ? {} : { basic: { username: basic.username, password: MASK } }),
    ...(clientCertificate === undefined ? {} : { clientCertificate: { cert: clientCertificate.cert, key: MASK } }),
    ...(proxy === undefined ? {} : { proxy: shownProxy(proxy) }),
    ...(credentials === undefined ? {} : { credentials: credentials.constructor.name }),
  };
}

function shownProxy(proxy: string | false): string | false {
  const address = proxy === false ? undefined : proxyAddressOf(proxy);
  return address === undefined ? proxy && MASK : describeProxy(address);
}

/** Makes a connection hide its secrets when it is logged, printed or converted to JSON. Returns the same connection. */
export function masked(connection: Connection): Connection {
  const show = { value: (): object => shownConnection(connection), enumerable: false };
  return Object.defineProperties(connection, { toJSON: show, [inspect.custom]: show });
}
