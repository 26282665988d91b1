import { KubewrightError } from '@kubewright/api/errors';
import type { Connection } from '../connection/connection.js';
import { addressOf } from './host-and-port.js';
import { isRequestedDirectly } from './no-proxy.js';
import { NO_PROXY_URL, type ProxyAddress, proxyAddressOf } from './proxy-address.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy of a connection: the option `proxy`, or otherwise the proxy in the environment variables. Returns undefined if the
 * connection uses no proxy. Throws INVALID_PROXY if the proxy URL is not valid.
 */
export function connectionProxy({ server, proxy }: Connection, env: Environment): ProxyAddress | undefined {
  if (proxy === false) return undefined;
  if (proxy === undefined) return environmentProxy(new URL(server), env);
  return proxyAddressOf(proxy) ?? refuse("option 'proxy' of the connection");
}

/**
 * Returns the proxy for a URL from the environment variables, by the rules of Go: HTTPS_PROXY for https, HTTP_PROXY for http, and none if
 * NO_PROXY matches the host. The variables can also be lowercase. A value without a scheme is an http proxy. Throws INVALID_PROXY if the
 * proxy URL is not valid.
 */
export function environmentProxy(url: URL, env: Environment): ProxyAddress | undefined {
  const named = firstSet(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (named === undefined) return undefined;
  if (isRequestedDirectly(addressOf(url), firstSet(env, 'NO_PROXY')?.value ?? '')) return undefined;
  const { variable, value } = named;
  return proxyAddressOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`) ?? refuse(variable);
}

function firstSet(env: Environment, name: string): { readonly variable: string; readonly value: string } | undefined {
  for (const variable of [name, name.toLowerCase()]) {
    const value = env[variable];
    if (value) return { variable, value };
  }
  return undefined;
}

function refuse(what: string): never {
  throw new KubewrightError('INVALID_PROXY', `cannot connect: ${what} ${NO_PROXY_URL}`);
}
