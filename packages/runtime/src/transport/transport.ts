import type { Connection } from './connection.js';
import type { ByteStream, RequestOptions, StreamOptions, TransportOptions } from './request-options.js';

export declare class Transport implements AsyncDisposable {
  constructor(connection: Connection, options?: TransportOptions);
  readonly connection: Connection;
  request<T>(options: RequestOptions): Promise<T>;
  stream(options: StreamOptions): Promise<ByteStream>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
