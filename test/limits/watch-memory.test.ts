import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Stream, constants } from 'node:http2';
import { test } from 'node:test';
import { MeasuredServer } from './measured-server.js';

const CONNECTIONS = 8;
/** nghttp2 accepts at most 1,000 simultaneous resets on a connection. */
const WATCHES_PER_CONNECTION = 250;
const WATCHES = CONNECTIONS * WATCHES_PER_CONNECTION;
/** Number of measured rounds. An unmeasured first round compiles code and fills the caches and pools of the runtime. */
const ROUNDS = 4;
/** Lower limit for the memory of a watch. With less memory, the measurement cannot show how much memory the end of a watch releases. */
const LEAST_BYTES_PER_WATCH = 4 * 1024;
/** Upper limit for the memory of a watch: 20,000 watches may take 500 MB. */
const MOST_BYTES_PER_WATCH = 25 * 1024;
/**
 * Upper limit for the memory that remains per watch. Most of the memory that remains after a round is a cache that grows once. Memory that
 * remains after every round is a leak.
 */
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
  // A connection delivers frames in order. When the server responds to this request, it has already read the resets.
  await Promise.all(sessions.map(async (session) => drained(await server.open(session, '/healthz'))));
  const after = await server.heapBytes();
  for (const session of sessions) session.destroy();
  return { before, during, after };
}

/** Resets a watch, like a Go client whose context is canceled. */
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

test(`${WATCHES} watches take at most 25 KB each, and release this memory when they end`, async (t) => {
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
