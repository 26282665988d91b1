import assert from 'node:assert/strict';
import { KubewrightError } from '@kubewright/api/errors';
import { FRAME } from '../transport/http2/frames.js';
import type { TransportOptions } from '../transport/request/request-options.js';
import { Transport } from '../transport/sending/transport.js';
import { type FrameConnection, FrameServer } from './frame-server.js';
import { ManualClock } from './manual-clock.js';

/** Returns a function that checks the code and the message of an error. */
export function failed(code: string, text: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof KubewrightError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, text);
    return true;
  };
}

/** A transport, and a server whose frames the test writes. */
export class Http2Bench implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly server: FrameServer;
  readonly transport: Transport;
  private constructor(server: FrameServer, options: TransportOptions) {
    this.server = server;
    this.transport = new Transport({ server: server.url, ca: server.ca }, { clock: this.clock, ...options });
  }
  static async start(options: TransportOptions = {}): Promise<Http2Bench> {
    return new Http2Bench(await FrameServer.start(), options);
  }
  /** Sends a request, responds to it, and returns the connection. */
  async connected(): Promise<FrameConnection> {
    const answered = this.transport.request({ method: 'GET', path: '/' });
    const connection = await this.server.next();
    const { stream } = await connection.next(FRAME.HEADERS);
    connection.settings();
    await connection.next(FRAME.SETTINGS);
    connection.answer(stream);
    await answered;
    return connection;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close();
    await this.server[Symbol.asyncDispose]();
  }
}
