import { readFileSync } from 'node:fs';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import * as tls from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { messageOf } from '@kubewright/api/errors';
import { withinDeadline } from '../../waiting/deadline.js';
import { addressOf, type HostAndPort } from './host-and-port.js';
import { openHttpTunnel, proxyAuthorization } from './http-tunnel.js';
import { describeProxy, type ProxyAddress } from './proxy-address.js';
import { openSocksTunnel } from './socks-tunnel.js';
import type { TlsOptions } from '../connection/tls-options.js';
import { underSignals } from '../../waiting/under-signals.js';

const TIMEOUT_MS = 30_000;

export interface ProxyDialerOptions {
  readonly proxy: ProxyAddress;
  /** The URL of the server to which the proxy connects. */
  readonly url: URL;
  /**
   * The TLS options of the connection to the server. The connection to an https proxy trusts `ca` of these options and the certificate
   * authorities of the system.
   */
  readonly tls: TlsOptions;
  readonly clock: Clock;
  /** The function that resolves the host name of the proxy. @default the resolver of the system */
  readonly lookup?: LookupFunction | undefined;
}

/** Opens connections to a server through a proxy. */
export class ProxyDialer {
  readonly #options: ProxyDialerOptions;
  readonly #target: HostAndPort;
  /** Whether the proxy only forwards bytes to the server. If not, the proxy receives and forwards the requests. */
  readonly #tunnels: boolean;
  readonly #closing = new AbortController();

  constructor(options: ProxyDialerOptions) {
    this.#options = options;
    const { url, proxy } = options;
    this.#tunnels = url.protocol === 'https:' || proxy.scheme === 'socks5';
    this.#target = addressOf(url);
  }

  /**
   * Connects to the server through the proxy, without starting TLS to the server. Rejects if the proxy is not reachable, if the proxy
   * refuses the connection, or after 30 s. If the signal is aborted, rejects with the reason of the signal. Errors name the proxy without
   * its password.
   */
  async dial(signal?: AbortSignal): Promise<Socket> {
    const { proxy, clock } = this.#options;
    const socket = this.#connect();
    // Prevents an uncaught error between two operations. Each operation has its own error listener.
    socket.on('error', () => undefined);
    const name = describeProxy(proxy);
    const tooLate = (): Error => new Error(`proxy ${name} did not connect within ${TIMEOUT_MS / 1000} s`);
    const signals = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    try {
      await underSignals(signals, (ending) =>
        withinDeadline({ clock, ms: TIMEOUT_MS, tooLate, signal: ending }, () => this.#open(socket)),
      );
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /**
   * Returns the request as the proxy must receive it. With a tunnel, returns the request unchanged. Without a tunnel, the path of the
   * returned request is a full URL, and the headers contain the credentials for the proxy.
   */
  sent<R extends { readonly path: string; readonly headers: Readonly<Record<string, string | string[]>> }>(
    request: R,
  ): R {
    if (this.#tunnels) return request;
    const { url, proxy } = this.#options;
    return {
      ...request,
      path: url.origin + request.path,
      headers: { ...request.headers, ...proxyAuthorization(proxy) },
    };
  }

  /** Aborts all connection attempts and rejects later attempts. */
  close(): void {
    this.#closing.abort(new Error('the transport was closed'));
  }

  #connect(): Socket {
    const { proxy, lookup } = this.#options;
    const { host, port, scheme } = proxy;
    const to = { host, port, ...(lookup && { lookup }) };
    const socket = scheme === 'https' ? tls.connect({ ...to, ...this.#proxyTls() }) : connect(to);
    return socket.setNoDelay(true).setKeepAlive(true, TIMEOUT_MS);
  }

  #proxyTls(): tls.ConnectionOptions {
    const { proxy, tls: toServer } = this.#options;
    return {
      minVersion: toServer.minVersion,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(proxy.host) === 0 ? { servername: proxy.host } : {}),
      ...(toServer.ca === undefined ? {} : { ca: [...systemAuthorities(), toServer.ca] }),
      ...(toServer.rejectUnauthorized === false ? { rejectUnauthorized: false } : {}),
    };
  }

  async #open(socket: Socket): Promise<void> {
    const { proxy } = this.#options;
    const fail = (what: string) => (error: unknown) => {
      // The error has no cause. Otherwise, a problem with the certificate or port of the proxy would be reported as a problem of the
      // server.
      throw new Error(`proxy ${describeProxy(proxy)} ${what}: ${messageOf(error)}`);
    };
    await connected(socket, proxy.scheme === 'https' ? 'secureConnect' : 'connect').catch(fail('is not reachable'));
    if (!this.#tunnels) return;
    const open = proxy.scheme === 'socks5' ? openSocksTunnel : openHttpTunnel;
    await open(socket, this.#target, proxy).catch(fail('did not open a tunnel'));
  }
}

function connected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

/** Returns the certificate authorities that Node.js trusts by default. */
function systemAuthorities(): readonly string[] {
  // This function exists since Node.js 22.15.
  const { getCACertificates } = tls as { readonly getCACertificates?: (kind: 'default') => readonly string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const { NODE_EXTRA_CA_CERTS: more } = process.env;
  return more ? [...tls.rootCertificates, readFileSync(more, 'utf8')] : tls.rootCertificates;
}
