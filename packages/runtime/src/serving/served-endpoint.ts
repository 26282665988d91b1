/** Something that listens for HTTP requests while a manager runs. */
export interface ServedEndpoint extends AsyncDisposable {
  /** Resolves when it listens. Rejects with ADDRESS_IN_USE or CANNOT_LISTEN. To be called once. */
  listen(): Promise<void>;
  /** Where it listens; undefined while it does not. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
}

/** Where a server listens. */
export interface ListenOptions {
  /** From 0 to 65535; 0 takes a free one. */
  readonly port?: number;
  /** An address of this machine. @default all of them */
  readonly host?: string;
}
