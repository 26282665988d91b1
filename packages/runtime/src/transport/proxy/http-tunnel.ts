import { request } from 'node:http';
import type { Socket } from 'node:net';
import { maskerOf, maskText, secretValuesIn } from '@kubewright/api/secrets';
import { type HostAndPort, writtenAddress } from './host-and-port.js';
import type { ProxyAddress } from './proxy-address.js';

/** Returns the header that authenticates the client at a proxy. Returns no header if there are no credentials. */
export function proxyAuthorization({ credentials }: ProxyAddress): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  const pair = `${credentials.username}:${credentials.password}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/**
 * Opens a tunnel to the target through an HTTP proxy. `socket` is the open connection to the proxy. Rejects with the response of the proxy
 * if the proxy refuses the tunnel. Masks the credentials in this response, which the proxy may repeat.
 */
export function openHttpTunnel(socket: Socket, target: HostAndPort, proxy: ProxyAddress): Promise<void> {
  const path = writtenAddress(target);
  return new Promise((resolve, reject) => {
    const headers = { host: path, ...proxyAuthorization(proxy) };
    const requested = request({ method: 'CONNECT', path, headers, createConnection: () => socket });
    requested.once('error', reject);
    requested.once('connect', ({ statusCode = 0, statusMessage = '' }, _socket, head) => {
      if (statusCode !== 200) {
        const reason = maskText(maskerOf(secretValuesIn(proxy.credentials ?? {}))(statusMessage));
        const response = `${statusCode} ${reason}`.trim();
        reject(new Error(`it answered CONNECT ${path} with ${response}${remedyOf(statusCode, proxy)}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve();
    });
    requested.end();
  });
}

function remedyOf(statusCode: number, { credentials }: ProxyAddress): string {
  if (statusCode !== 407) return '';
  return credentials === undefined ? ': add user and password to its URL' : ': check the user and password in its URL';
}
