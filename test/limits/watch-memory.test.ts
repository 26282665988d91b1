import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Stream, constants } from 'node:http2';
import { test } from 'node:test';
import { MeasuredServer } from './measured-server.js';

const CONNECTIONS = 8;
/** nghttp2 accepts 1,000 resets at once on a connection. */
const WATCHES_PER_CONNECTION = 250;
const WATCHES = CONNECTIONS * WATCHES_PER_CONNECTION;
/** The rounds that are measured, after one that compiles code and fills the caches and pools of the runtime, which stay. */
const ROUNDS = 4;
/** A lower bound for the cost of a watch. If a watch costs less, the measurement does not show what its end frees. */
const LEAST_BYTES_PER_WATCH = 4 * 1024;
/** 20,000 watches may take 500 MB. */
const MOST_BYTES_PER_WATCH = 25 * 1024;
/** Most of what is left after a round is a cache that grows once. What is left after each round is a leak. */
const MOST_BYTES_LEFT_PER_WATCH = 100;
const path = '/api/v1/namespaces/default/configmaps?watch=1&allowWatchBookmarks=true';

/** The heap of the server in bytes before, during and after the watches. */
interface Round {
  readonly before: number;
  readonly during: number;
  readonly after: number;
}

async function round(server: MeasuredServer): Promise<Round> {
  const before = await server.heapBytes();
  const sessions = await Promise.all(Array.from({ length: CONNECTIONS }, () => server.connect()));
  const opening = sessions.flatMap((session) =>
    Array.from({ length: WATCHES_PER_CONNECTION }, () => server.open(session, path)),
  );
  const watches = await Promise.all(opening);
  const during = await server.heapBytes();
  await Promise.all(watches.map(reset));
  // A connection delivers frames in order: when the server answers, it has read the resets before the request.
  await Promise.all(sessions.map(async (session) => drained(await server.open(session, '/healthz'))));
  const after = await server.heapBytes();
  for (const session of sessions) session.destroy();
  return { before, during, after };
}

/** Ends a watch as a Go client does when its context is canceled. */
async function reset(watch: ClientHttp2Stream): Promise<void> {
  const closed = once(watch, 'close');
  watch.close(constants.NGHTTP2_CANCEL);
  await closed;
}

async function drained(stream: ClientHttp2Stream): Promise<void> {
  const closed = once(stream, 'close');
  stream.resume();
  await closed;
}

test(`${WATCHES} watches take at most 25 KB each, and their end frees this memory`, async (t) => {
  await using server = await MeasuredServer.start();
  await round(server);
  const left: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    const { before, during, after } = await round(server);
    t.diagnostic(JSON.stringify({ before, during, after }));
    const cost = during - before;
    assert.ok(cost > WATCHES * LEAST_BYTES_PER_WATCH, `the watches take ${cost} bytes`);
    assert.ok(cost <= WATCHES * MOST_BYTES_PER_WATCH, `the watches take ${cost} bytes`);
    left.push(after - before);
  }
  assert.ok(Math.min(...left) <= WATCHES * MOST_BYTES_LEFT_PER_WATCH, `each round leaves bytes: ${left.join(', ')}`);
});
