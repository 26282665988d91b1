import { isIP, type LookupFunction } from 'node:net';
import { type TLSSocket, connect } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import type { TlsOptions } from '../connection/tls-options.js';
import { addressOf } from '../proxy/host-and-port.js';
import type { ProxyDialer } from '../proxy/proxy-dialer.js';

/** The time limit of a connection attempt in milliseconds, and the interval of TCP keep-alive probes. */
export const CONNECT_TIMEOUT_MS = 30_000;

export interface SecureDialerOptions {
  readonly url: URL;
  readonly tls: TlsOptions & { readonly lookup?: LookupFunction };
  readonly clock: Clock;
  /** Opens connections through a proxy. @default direct connections to the server */
  readonly dialer: ProxyDialer | undefined;
}

/** Opens TLS connections to a server. The server selects HTTP/2 or HTTP/1.1; see `TLSSocket.alpnProtocol`. */
export class SecureDialer {
  readonly #options: SecureDialerOptions;
  /** The sockets whose TLS handshake is not complete. */
  readonly #dialled = new Set<TLSSocket>();
  #closed = false;

  constructor(options: SecureDialerOptions) {
    this.#options = options;
  }

  /**
   * Opens a connection. The signal aborts only the connection to a proxy, because several callers may wait for the same TLS handshake.
   * Rejects if the connection fails, if the TLS handshake is not complete after 30 s, or if the dialer is closed.
   */
  async dial(signal?: AbortSignal): Promise<TLSSocket> {
    const { url, tls, clock, dialer } = this.#options;
    const way = await dialer?.dial(signal);
    const address = addressOf(url);
    const socket = connect({
      ...address,
      ...(isIP(address.host) === 0 ? { servername: address.host } : {}),
      ...tls,
      ...(way && { socket: way }),
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    socket.setKeepAlive(true, CONNECT_TIMEOUT_MS);
    socket.setNoDelay(true);
    this.#dialled.add(socket);
    await secured(socket, clock).finally(() => this.#dialled.delete(socket));
    if (!this.#closed) return socket;
    socket.destroy();
    throw new Error('the transport was closed');
  }

  /** Closes the connections whose TLS handshake is not complete. Later attempts fail. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#dialled) socket.destroy();
  }
}

/** Resolves when the TLS handshake is complete. */
function secured(socket: TLSSocket, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('no TLS connection within 30 s')));
    socket.once('secureConnect', () => {
      timer.cancel();
      socket.off('error', reject);
      // After the handshake, the 'close' event reports the end of the connection.
      socket.on('error', () => socket.destroy());
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      timer.cancel();
      reject(new Error('the connection was closed before the TLS handshake ended'));
    });
  });
}
