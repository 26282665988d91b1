import { badRequest, failure } from '../../registry/requests/status-errors.js';
import type { ApiRequest } from '../api-request.js';
import { webSocketHeaders } from './web-socket.js';

/** The protocol of connections with several streams. */
const spdy = 'SPDY/3.1';

/** The protocol to which a client upgrades its connection. */
export interface Upgrade {
  readonly kind: 'spdy' | 'websocket';
  /** The selected protocol for the streams, such as `v5.channel.k8s.io`. */
  readonly protocol: string;
  /** The headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The protocols for streams that a subresource supports. */
export interface StreamProtocols {
  readonly spdy: readonly string[];
  readonly websocket: readonly string[];
}

/** Returns the requested upgrade. Throws 400 if the request contains no upgrade, and 403 if the server supports none of its protocols. */
export function upgradeOf({ headers, canUpgrade }: ApiRequest, supported: StreamProtocols): Upgrade {
  const requested = headers['upgrade'] ?? '';
  if (requested === '' || canUpgrade !== true) throw badRequest('Upgrade request required');
  if (requested.toLowerCase() === 'websocket') {
    const protocol = selected(headers['sec-websocket-protocol'] ?? '', supported.websocket);
    const key = headers['sec-websocket-key'] ?? '';
    if (key === '') throw badRequest('unable to upgrade: missing header Sec-WebSocket-Key in request');
    return { kind: 'websocket', protocol, headers: webSocketHeaders(key, protocol) };
  }
  if (requested.toLowerCase() !== spdy.toLowerCase()) {
    throw badRequest(`unable to upgrade: missing upgrade headers in request; use ${spdy} or websocket`);
  }
  const protocol = selected(headers['x-stream-protocol-version'] ?? '', supported.spdy);
  const own = { upgrade: spdy, connection: 'Upgrade', 'x-stream-protocol-version': protocol };
  return { kind: 'spdy', protocol, headers: own };
}

function selected(requested: string, supported: readonly string[]): string {
  const names = requested.split(',').map((name) => name.trim());
  const found = names.find((name) => supported.includes(name));
  if (found !== undefined) return found;
  const message = `unable to upgrade: unable to negotiate protocol: client supports [${names.join(' ')}], server accepts [${supported.join(' ')}]`;
  throw failure(403, 'Forbidden', { message });
}
