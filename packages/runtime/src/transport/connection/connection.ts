import type { ClientCertificate, CredentialSource } from './credential-source.js';

/** The identity that requests impersonate instead of the user of the credentials. */
export interface Impersonation {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The address of an API server and the credentials for it. Plain data; `loadConnection` creates a connection from a kubeconfig or in a Pod.
 */
export interface Connection {
  /** The URL of the API server. A path in the URL precedes every request path. */
  readonly server: string;
  /** The certificate authority of the server, as PEM. @default the certificate authorities of the system */
  readonly ca?: string;
  /** The file of `ca`. The client reads the file again each minute, and new connections trust its current content. @default none */
  readonly caFile?: string;
  /** A bearer token, or a function that the client calls before each request. The function may cache its result. */
  readonly token?: string | (() => Promise<string | undefined>);
  /** The name and password for basic authentication. Cannot be combined with a token. */
  readonly basic?: { readonly username: string; readonly password: string };
  /** A client certificate and its key, as PEM. */
  readonly clientCertificate?: ClientCertificate;
  /** Credentials that change, from files, a plugin or an issuer. A `token` or `basic` takes precedence. @default none */
  readonly credentials?: CredentialSource;
  /** Accepts any certificate of the server and of an https proxy. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name that the server's certificate must contain. @default the host of `server` */
  readonly tlsServerName?: string;
  /**
   * The URL of the proxy for the server: http, https or socks5, with user and password if the proxy requires them. False disables proxies.
   * @default HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment
   */
  readonly proxy?: string | false;
  /** The identity that requests impersonate. @default the user of the credentials */
  readonly impersonate?: Impersonation;
  /** The name of the kubeconfig context, for messages. @default none */
  readonly context?: string;
  /** The namespace of the context or of the Pod. */
  readonly namespace?: string;
}
