/** A request of a client. */
export interface LimitRequest {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  /** The media type of the response. @default the default of the server */
  readonly accept?: string;
  /** The compression of the response. @default none */
  readonly encoding?: 'gzip';
  /** The user that the request impersonates. @default the administrator of the server */
  readonly user?: string;
  readonly body?: string | Uint8Array;
}

/** A request that could block other requests, and the requests that prepare it. */
export interface LimitCase {
  readonly name: string;
  readonly before?: readonly LimitRequest[];
  readonly request: LimitRequest;
  readonly status: number;
}
