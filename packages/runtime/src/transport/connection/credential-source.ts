/** A client certificate and its key, in PEM format. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The credential that authenticates a request: a token, a certificate, or both. */
export interface Credential {
  /** A bearer token. */
  readonly token?: string;
  readonly clientCertificate?: ClientCertificate;
}

/** Provides credentials that change: from files, a plugin or a token issuer. */
export interface CredentialSource {
  /**
   * Returns the current credential. Must return the same object until the credential changes. The client calls this method before each
   * request, so the source must cache the credential. A source that returns a cached credential without a promise makes requests faster.
   */
  get(): Credential | Promise<Credential>;
  /** Called when the server has rejected this credential with status 401. The next call of `get` must renew the credential. */
  refused(credential: Credential): void;
}
