import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
import type { ProxyDialer } from './proxy-dialer.js';

/** Returns a connector for undici that opens connections through a proxy. Starts TLS to the server if the server uses https. */
export function proxiedConnector(dialer: ProxyDialer, options: buildConnector.BuildOptions): buildConnector.connector {
  const secured = connectorOf(options);
  return (requested, callback) => {
    dialer.dial().then(
      (socket) => {
        if (requested.protocol === 'https:') secured({ ...requested, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}
