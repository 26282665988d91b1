/** A request as handlers see it: authenticated, its body read, no trace of the HTTP version. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
}
