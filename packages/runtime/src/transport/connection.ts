import type { ClientCertificate, CredentialSource } from './credential-source.js';

/** Whom requests are made as, in place of the user of the credentials. */
export interface Impersonation {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Where an API server is and how to be let in. Plain data; `loadConnection` makes one from a kubeconfig or in a Pod. */
export interface Connection {
  /** The URL of the API server; a path in it is put before every request path. */
  readonly server: string;
  /** The certificate authority of the server, as PEM. @default those of the system */
  readonly ca?: string;
  /** The file that `ca` was read from. It is read again each minute, and new connections trust what it says then. @default none */
  readonly caFile?: string;
  /** A bearer token, or a function that is asked before each request and may remember its answer. */
  readonly token?: string | (() => Promise<string | undefined>);
  /** Name and password of basic authentication; not together with a token. */
  readonly basic?: { readonly username: string; readonly password: string };
  /** A client certificate and its key, as PEM. */
  readonly clientCertificate?: ClientCertificate;
  /** Credentials that change, of files, a plugin or an issuer. A `token` or `basic` comes before theirs. @default none */
  readonly credentials?: CredentialSource;
  /** Takes any certificate of the server, and of a proxy of https. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name the server's certificate is checked against. @default the host of `server` */
  readonly tlsServerName?: string;
  /**
   * The URL of a proxy that the server is asked through, of http, https or socks5, with user and password where it wants them; false for
   * none. @default what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say
   */
  readonly proxy?: string | false;
  /** As whom requests are made. @default the user of the credentials */
  readonly impersonate?: Impersonation;
  /** The name of the context of a kubeconfig that it is from, for people. @default none */
  readonly context?: string;
  /** The namespace of the context, or that of the Pod. */
  readonly namespace?: string;
}
