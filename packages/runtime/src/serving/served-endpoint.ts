/** An endpoint that a manager serves. It listens for HTTP requests while the manager runs. */
export interface ServedEndpoint extends AsyncDisposable {
  /** Starts to listen. Resolves when the endpoint listens. Rejects with ADDRESS_IN_USE or CANNOT_LISTEN. Call this method only once. */
  listen(): Promise<void>;
  /** The address of the endpoint. Undefined if the endpoint does not listen. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
}

/** The address on which a server listens. */
export interface ListenOptions {
  /** The port from 0 to 65535. 0 selects a free port. */
  readonly port?: number;
  /** The address of this machine on which to listen. @default all addresses */
  readonly host?: string;
}
