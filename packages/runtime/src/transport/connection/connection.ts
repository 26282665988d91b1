import type { ClientCertificate, CredentialSource } from './credential-source.js';

/**
 * The identity with which the server executes requests instead of the user of the credentials. See the impersonation headers of the
 * Kubernetes API.
 */
export interface Impersonation {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The address of an API server and the credentials for it. `loadConnection` creates a connection from a kubeconfig, or for the service
 * account of a Pod.
 */
export interface Connection {
  /** The URL of the API server. If the URL has a path, the client adds this path before the path of every request. */
  readonly server: string;
  /** The certificate authorities that the client trusts, in PEM format. @default the certificate authorities of the system */
  readonly ca?: string;
  /**
   * The file that contains `ca`. Before a request, the client reads the file again if the last read was more than a minute ago. New
   * connections use the new content. @default none
   */
  readonly caFile?: string;
  /**
   * A bearer token, or a function that returns the current token. The client calls the function before each request, so the function should
   * cache the token.
   */
  readonly token?: string | (() => Promise<string | undefined>);
  /** The username and password for basic authentication. Ignored if `token` provides a token. */
  readonly basic?: { readonly username: string; readonly password: string };
  /** A client certificate and its key, in PEM format. */
  readonly clientCertificate?: ClientCertificate;
  /**
   * A source of credentials that change: files, a plugin or a token issuer. Ignored if `basic` is set or `token` provides a token. @default
   * none
   */
  readonly credentials?: CredentialSource;
  /** Whether to accept any certificate of the server and of an https proxy. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  /** The host name that the certificate of the server must contain. @default the host of `server` */
  readonly tlsServerName?: string;
  /**
   * The URL of the proxy to the server, with the scheme http, https or socks5. If the proxy requires a user and a password, the URL must
   * contain them. `false` disables proxies.
   * @default HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment
   */
  readonly proxy?: string | false;
  /** The identity with which the server executes requests. @default the user of the credentials */
  readonly impersonate?: Impersonation;
  /** The name of the kubeconfig context, for messages. @default none */
  readonly context?: string;
  /** The namespace of the context or of the Pod. */
  readonly namespace?: string;
}
