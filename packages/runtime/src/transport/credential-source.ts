/** A client certificate and its key, as PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What a request is let in by. */
export interface Credential {
  /** A bearer token. */
  readonly token?: string;
  readonly clientCertificate?: ClientCertificate;
}

/** Credentials that change: those of files, of a plugin or of an issuer of tokens. */
export interface CredentialSource {
  /** What is good now; the same object as long as nothing has changed. Asked before each request, so it remembers its answer. */
  get(): Promise<Credential>;
  /** The server knew this one no more (401): the next `get` finds out anew. */
  refused(credential: Credential): void;
}
