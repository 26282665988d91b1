import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameOf, numbers } from '../../test-support/frame-server.js';
import { failed, Http2Bench } from '../../test-support/http2-bench.js';
import { FRAME } from '../http2/frames.js';
import { numberOf } from '../http2/http2-error.js';

const [get, post] = [
  { method: 'GET', path: '/' },
  { method: 'POST', path: '/', body: { a: 1 } },
] as const;
const status = (hex: string): Buffer => Buffer.from(hex, 'hex');
const ok = { payload: status('88') };
/** The frames of a response that violate HTTP/2, and whether the violation concerns only one request. */
const violations: Readonly<Record<string, (stream: number) => readonly Buffer[]>> = {
  'DATA before the headers': (stream) => [frameOf(FRAME.DATA, 0, { stream })],
  'headers without a status': (stream) => [frameOf(FRAME.HEADERS, 4, { stream, payload: status('5c0161') })],
  'an invalid status': (stream) => [frameOf(FRAME.HEADERS, 4, { stream, payload: status('48024142') })],
  'two statuses': (stream) => [frameOf(FRAME.HEADERS, 4, { stream, payload: status('8888') })],
  'a pseudo-header of requests': (stream) => [frameOf(FRAME.HEADERS, 4, { stream, payload: status('8884') })],
  'a name in upper case': (stream) => [frameOf(FRAME.HEADERS, 4, { stream, payload: status('880001410161') })],
  'headers in the middle of a body': (stream) => [
    frameOf(FRAME.HEADERS, 4, { stream, ...ok }),
    frameOf(FRAME.HEADERS, 4, { stream, ...ok }),
  ],
  'an empty increment of a window': (stream) => [frameOf(FRAME.WINDOW_UPDATE, 0, { stream, payload: numbers(0) })],
};
for (const [what, frames] of Object.entries(violations)) {
  test(`over HTTP/2, ends only the request whose response has ${what}`, async () => {
    await using bench = await Http2Bench.start();
    const connection = await bench.connected();
    const refused = assert.rejects(bench.transport.request(post), failed('REQUEST_FAILED', /violated HTTP\/2/));
    const { stream } = await connection.next(FRAME.DATA);
    for (const frame of frames(stream)) connection.socket.write(frame);
    await refused;
    assert.equal((await connection.next(FRAME.RST_STREAM)).payload.readUInt32BE(), numberOf('PROTOCOL_ERROR'));
    const later = bench.transport.request(get);
    connection.answer((await connection.next(FRAME.HEADERS)).stream);
    await later;
  });
}

const breaks: Readonly<
  Record<string, readonly [code: Parameters<typeof numberOf>[0], frame: (stream: number) => Buffer]>
> = {
  'a frame that is too large': [
    'FRAME_SIZE_ERROR',
    (stream) => frameOf(0, 0, { stream, payload: Buffer.alloc(16_385) }),
  ],
  'DATA without a stream': ['PROTOCOL_ERROR', () => frameOf(FRAME.DATA, 0)],
  'HEADERS without a stream': ['PROTOCOL_ERROR', () => frameOf(FRAME.HEADERS, 4, ok)],
  'a response without a request': ['PROTOCOL_ERROR', () => frameOf(FRAME.HEADERS, 4, { stream: 99, ...ok })],
  'a stream of the server': ['PROTOCOL_ERROR', () => frameOf(FRAME.HEADERS, 4, { stream: 2, ...ok })],
  PUSH_PROMISE: ['PROTOCOL_ERROR', (stream) => frameOf(FRAME.PUSH_PROMISE, 4, { stream, payload: numbers(2) })],
  'CONTINUATION without HEADERS': ['PROTOCOL_ERROR', (stream) => frameOf(FRAME.CONTINUATION, 4, { stream })],
  'HEADERS that another frame interrupts': [
    'PROTOCOL_ERROR',
    (stream) =>
      Buffer.concat([frameOf(FRAME.HEADERS, 0, { stream, ...ok }), frameOf(FRAME.PING, 1, { payload: numbers(0, 0) })]),
  ],
  'endless headers': [
    'ENHANCE_YOUR_CALM',
    (stream) => {
      const more = Array.from({ length: 300 }, () => frameOf(FRAME.CONTINUATION, 0, { stream }));
      return Buffer.concat([frameOf(FRAME.HEADERS, 0, { stream }), ...more]);
    },
  ],
  'invalid compression': [
    'COMPRESSION_ERROR',
    (stream) => frameOf(FRAME.HEADERS, 4, { stream, payload: status('be') }),
  ],
  'too much padding': ['PROTOCOL_ERROR', (stream) => frameOf(FRAME.HEADERS, 12, { stream, payload: status('0288') })],
  'incomplete settings': ['FRAME_SIZE_ERROR', () => frameOf(FRAME.SETTINGS, 0, { payload: Buffer.alloc(5) })],
  'settings of a stream': ['PROTOCOL_ERROR', (stream) => frameOf(FRAME.SETTINGS, 0, { stream })],
  'a window that is too large': [
    'PROTOCOL_ERROR',
    () => frameOf(FRAME.WINDOW_UPDATE, 0, { payload: numbers(2 ** 31 - 1) }),
  ],
  'an incomplete PING': ['FRAME_SIZE_ERROR', () => frameOf(FRAME.PING, 0, { payload: numbers(0) })],
};
for (const [what, [code, frame]] of Object.entries(breaks)) {
  test(`over HTTP/2, closes the connection of a server that sends ${what}`, async () => {
    await using bench = await Http2Bench.start();
    const connection = await bench.connected();
    const refused = assert.rejects(
      bench.transport.request(post),
      failed('REQUEST_FAILED', /the server (sent|violated)/),
    );
    const { stream } = await connection.next(FRAME.DATA);
    connection.socket.write(frame(stream));
    await refused;
    assert.equal((await connection.next(FRAME.GOAWAY)).payload.readUInt32BE(4), numberOf(code));
    await connection.closed;
    await bench.connected();
  });
}
