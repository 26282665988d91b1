import { readFileSync } from 'node:fs';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { buildConnector } from 'undici';
import type { Clock } from '@kubewright/api/clock';
import { messageOf } from '@kubewright/api/errors';
import { withinDeadline } from './deadline.js';
import { addressOf, type HostAndPort } from './host-and-port.js';
import { openHttpTunnel, proxyAuthorization } from './http-tunnel.js';
import { describeProxy, type ProxyAddress } from './proxy-address.js';
import { openSocksTunnel } from './socks-tunnel.js';
import type { TlsOptions } from './tls-options.js';
import { underSignals } from './under-signals.js';

const TIMEOUT_MS = 30_000;

export interface ProxyDialerOptions {
  readonly proxy: ProxyAddress;
  /** Of the server behind it. */
  readonly url: URL;
  /** Of the connection to the server. What it trusts a proxy of https is trusted by, too, besides what this system trusts. */
  readonly tls: TlsOptions;
  readonly clock: Clock;
  /** How the name of the proxy is resolved. @default by the system */
  readonly lookup?: LookupFunction | undefined;
}

/** Makes connections to a server through a proxy. */
export class ProxyDialer {
  readonly #options: ProxyDialerOptions;
  readonly #target: HostAndPort;
  /** Whether the proxy passes bytes on; else it is sent the requests themselves. */
  readonly #tunnels: boolean;
  readonly #closing = new AbortController();

  constructor(options: ProxyDialerOptions) {
    this.#options = options;
    const { url, proxy } = options;
    this.#tunnels = url.protocol === 'https:' || proxy.scheme === 'socks5';
    this.#target = addressOf(url);
  }

  /**
   * A connection that leads to the server, before any TLS with that. Rejects when there is none within 30 s, with an error that names
   * the proxy without its password, and with the reason of the signal.
   */
  async dial(signal?: AbortSignal): Promise<Socket> {
    const { proxy, clock } = this.#options;
    const socket = this.#connect();
    // Who waits hears of it; between one listener and the next nobody does.
    socket.on('error', () => undefined);
    const name = describeProxy(proxy);
    const tooLate = (): Error => new Error(`the proxy ${name} gave no connection within ${TIMEOUT_MS / 1000} s`);
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

  /** Connects for undici; with TLS where the server has it. */
  connector(options: buildConnector.BuildOptions): buildConnector.connector {
    const secured = buildConnector(options);
    return (asked, callback) => {
      this.dial().then(
        (socket) => {
          if (asked.protocol === 'https:') secured({ ...asked, httpSocket: socket }, callback);
          else callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
    };
  }

  /** A request as it is sent over such a connection. */
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

  /** Gives up every connection that is being made, and makes no more. */
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
      // Without it as the cause: what is wrong with the proxy's certificate, or with its port, is not so with the server's.
      throw new Error(`the proxy ${describeProxy(proxy)} ${what}: ${messageOf(error)}`);
    };
    await connected(socket, proxy.scheme === 'https' ? 'secureConnect' : 'connect').catch(fail('cannot be reached'));
    if (!this.#tunnels) return;
    const open = proxy.scheme === 'socks5' ? openSocksTunnel : openHttpTunnel;
    await open(socket, this.#target, proxy).catch(fail('gave no connection'));
  }
}

function connected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

/** What Node trusts where it is told nothing. */
function systemAuthorities(): readonly string[] {
  // From Node 22.15 on.
  const { getCACertificates } = tls as { readonly getCACertificates?: (kind: 'default') => readonly string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const { NODE_EXTRA_CA_CERTS: more } = process.env;
  return more ? [...tls.rootCertificates, readFileSync(more, 'utf8')] : tls.rootCertificates;
}
