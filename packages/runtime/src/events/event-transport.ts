/** The methods of `Transport` that event sinks use. */
export interface EventTransport {
  request<T>(options: {
    readonly method: 'POST' | 'PATCH';
    readonly path: string;
    readonly body: unknown;
    readonly contentType?: string;
    readonly signal?: AbortSignal;
    readonly attempted?: string;
  }): Promise<T>;
}
