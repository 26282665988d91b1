import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameReader } from './frames.js';
import { FrameWriter, type RequestHead } from './frame-writer.js';
import { HeaderDecoder } from './header-decoder.js';
import type { Header } from './static-headers.js';

const usual: RequestHead = {
  method: 'PATCH',
  path: '/api/v1/pods',
  authority: 'server:6443',
  headers: { accept: 'application/json', authorization: 'Bearer a' },
  contentLength: 7,
};
const others: readonly RequestHead[] = [
  { ...usual, path: `/api/v1/${'p'.repeat(300)}`, contentLength: undefined },
  { ...usual, contentLength: 2 ** 40 },
  { ...usual, headers: { ...usual.headers, authorization: 'Bearer b' } },
  { ...usual, headers: { accept: 'application/json' } },
  { ...usual, headers: { ...usual.headers, traceparent: '00-1' } },
  { ...usual, headers: { authorization: 'Bearer a', accept: 'application/json' } },
  { ...usual, headers: { ...usual.headers, 'impersonate-group': ['a', 'b'] } },
  { ...usual, headers: { ...usual.headers, connection: 'close' } },
  { ...usual, authority: 'other:6443' },
  { ...usual, method: 'DELETE' },
  { ...usual, method: 'GET', contentLength: undefined },
  { ...usual, method: 'POST' },
];

/** Returns the headers that a server receives. */
function received(writer: FrameWriter, head: RequestHead): readonly Header[] {
  writer.request(1, head, 16_384);
  const frames = new FrameReader().read(writer.take() ?? Buffer.alloc(0));
  assert.deepEqual(
    frames.map(({ flags }) => flags),
    [head.contentLength === undefined ? 5 : 4],
  );
  return new HeaderDecoder().decode(frames[0]?.payload ?? Buffer.alloc(0));
}
function expected({ method, path, authority, headers, contentLength }: RequestHead): readonly Header[] {
  const sent = Object.entries(headers).filter(([name]) => name !== 'connection');
  return [
    [':method', method],
    [':scheme', 'https'],
    [':path', path],
    [':authority', authority],
    ['host', authority],
    ...sent.flatMap(([name, value]) => [value].flat().map((one): Header => [name, one])),
    ...(contentLength === undefined ? [] : [['content-length', String(contentLength)] as const]),
  ];
}

test('writes the headers of each request, whichever headers the previous request had', () => {
  const writer = new FrameWriter();
  for (const other of others) {
    for (const head of [usual, other, other, usual]) assert.deepEqual(received(writer, head), expected(head));
  }
});

test('writes the current values of a list of headers that the caller has changed', () => {
  const writer = new FrameWriter();
  const groups = ['a'];
  const head = { ...usual, headers: { 'impersonate-group': groups } };
  received(writer, head);
  groups[0] = 'b';
  assert.deepEqual(received(writer, head), expected(head));
});

test('writes nothing for an invalid path or header, and the next request completely', () => {
  const writer = new FrameWriter();
  for (const head of [
    { ...usual, path: '/a b' },
    { ...usual, headers: { accept: 'a\nb' } },
    { ...usual, headers: { 'a b': 'c' } },
  ]) {
    assert.throws(() => writer.request(1, head, 16_384), /invalid character|not a valid name/);
    assert.equal(writer.take(), undefined);
    assert.deepEqual(received(writer, usual), expected(usual));
  }
});

test('divides long headers among several frames', () => {
  const writer = new FrameWriter();
  for (const head of [usual, { ...usual, path: `/${'p'.repeat(3000)}` }, usual]) {
    writer.request(1, head, 1000);
    const frames = new FrameReader().read(writer.take() ?? Buffer.alloc(0));
    const block = Buffer.concat(frames.map(({ payload }) => payload));
    assert.deepEqual(new HeaderDecoder().decode(block), expected(head));
    assert.equal(frames.length, Math.ceil(block.length / 1000));
  }
});
