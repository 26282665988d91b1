import type { KubeConfig, User } from '@kubernetes/client-node';
import { KubewrightError } from '@kubewright/api/errors';
import type { Connection } from '../connection/connection.js';
import type { Credential } from '../connection/credential-source.js';
import { impersonationHeaders } from '../credentials/credentials.js';

type RequestOptions = Parameters<KubeConfig['applyToHTTPSOptions']>[0];
type FetchOptions = Parameters<KubeConfig['applyToFetchOptions']>[0];
type SecurityContext = Parameters<KubeConfig['applySecurityAuthentication']>[0];

/**
 * Returns a `KubeConfig` of client-node with the server, certificate authority, proxy, credentials and impersonation of a connection. Gets
 * the current credential before each request. Loads client-node, which takes about 0.6 s and 75 MB.
 */
export async function kubeConfigOf(connection: Connection): Promise<KubeConfig> {
  const { KubeConfig } = await import('./kubeconfig-library.js');

  class ConnectedKubeConfig extends KubeConfig {
    override async applyToHTTPSOptions(options: RequestOptions): Promise<void> {
      await this.#renew();
      await super.applyToHTTPSOptions(options);
      options.headers = {
        ...(options.headers as Record<string, string>),
        ...impersonationHeaders(connection.impersonate),
      };
    }
    override applyToFetchOptions(options: FetchOptions): ReturnType<KubeConfig['applyToFetchOptions']> {
      singleHeaders(connection);
      return super.applyToFetchOptions(options);
    }
    override async applySecurityAuthentication(context: SecurityContext): Promise<void> {
      await this.#renew();
      await super.applySecurityAuthentication(context);
      for (const [name, value] of Object.entries(singleHeaders(connection))) context.setHeaderParam(name, value);
    }
    async #renew(): Promise<void> {
      this.users = [userOf(connection, await credentialOf(connection))];
    }
  }

  const config = new ConnectedKubeConfig();
  const name = connection.context ?? 'kubewright';
  const { ca, caFile, server, insecureSkipTlsVerify, tlsServerName, proxy, namespace } = connection;
  const cluster = {
    name,
    server: server.replace(/\/+$/, ''),
    // client-node requires `skipTLSVerify` for a server without TLS.
    skipTLSVerify: insecureSkipTlsVerify ?? server.startsWith('http:'),
    ...(caFile !== undefined ? { caFile } : ca !== undefined && { caData: base64(ca) }),
    ...(tlsServerName !== undefined && { tlsServerName }),
    ...(typeof proxy === 'string' && { proxyUrl: proxy }),
  };
  config.loadFromOptions({
    clusters: [cluster],
    users: [userOf(connection, await credentialOf(connection))],
    contexts: [{ name, cluster: name, user: name, ...(namespace !== undefined && { namespace }) }],
    currentContext: name,
  });
  return config;
}

/**
 * Returns the current credential, by the rules of the transport: the token of the connection takes precedence over basic authentication,
 * and both take precedence over the credential source.
 */
async function credentialOf({ token, basic, clientCertificate, credentials }: Connection): Promise<Credential> {
  const own = typeof token === 'function' ? await token() : token;
  const changing = own || basic !== undefined ? undefined : await credentials?.get();
  const bearer = own || changing?.token;
  const certificate = clientCertificate ?? changing?.clientCertificate;
  return {
    ...(bearer && { token: bearer }),
    ...(certificate !== undefined && { clientCertificate: certificate }),
  };
}
function userOf({ context, basic }: Connection, { token, clientCertificate }: Credential): User {
  return {
    name: context ?? 'kubewright',
    ...(token !== undefined
      ? { token }
      : basic !== undefined && { username: basic.username, password: basic.password }),
    ...(clientCertificate !== undefined && {
      certData: base64(clientCertificate.cert),
      keyData: base64(clientCertificate.key),
    }),
  };
}
/**
 * Returns the impersonation headers. These headers are necessary because client-node itself can only impersonate a user name. Throws
 * NOT_SUPPORTED for several values of one header, such as several groups, because the HTTP client of client-node cannot send a header
 * twice.
 */
function singleHeaders({ impersonate }: Connection): Record<string, string> {
  const headers = Object.entries(impersonationHeaders(impersonate)).map(
    ([name, value]) => [name, [value].flat()] as const,
  );
  const several = headers.find(([, values]) => values.length > 1);
  if (several === undefined) return Object.fromEntries(headers.map(([name, [value = '']]) => [name, value]));
  throw new KubewrightError(
    'NOT_SUPPORTED',
    `cannot send a request through client-node with several values of the header ${several[0]}: its HTTP client sends each header only once; set only one value for this header in impersonate, or use the client of the manager`,
  );
}
function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
