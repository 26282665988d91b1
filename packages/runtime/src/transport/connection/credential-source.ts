/** A client certificate and its key, as PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The credential that authenticates a request. */
export interface Credential {
  /** A bearer token. */
  readonly token?: string;
  readonly clientCertificate?: ClientCertificate;
}

/** Credentials that change: from files, from a plugin or from a token issuer. */
export interface CredentialSource {
  /**
   * Returns the current credential; the same object until the credential changes. The client calls `get` before each request, so the source
   * must cache the credential.
   */
  get(): Promise<Credential>;
  /** Reports that the server rejected this credential (401). The next `get` renews the credential. */
  refused(credential: Credential): void;
}
