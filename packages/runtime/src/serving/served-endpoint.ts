/** An endpoint that listens for HTTP requests while a manager runs. */
export interface ServedEndpoint extends AsyncDisposable {
  /** Starts listening. Resolves when the endpoint listens. Rejects with ADDRESS_IN_USE or CANNOT_LISTEN. Call this method once. */
  listen(): Promise<void>;
  /** The address of the endpoint. Undefined while it does not listen. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
}

/** The address that a server listens on. */
export interface ListenOptions {
  /** Port from 0 to 65535. 0 selects a free port. */
  readonly port?: number;
  /** An address of this machine. @default all addresses */
  readonly host?: string;
}
