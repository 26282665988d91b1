import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { test } from 'node:test';
import { MeasuredServer } from './measured-server.js';

const CONNECTIONS = 8;
/** nghttp2 accepts 1,000 resets at once on a connection. Two rounds stay below this limit. */
const WATCHES_PER_CONNECTION = 250;
const WATCHES = CONNECTIONS * WATCHES_PER_CONNECTION;
/** A lower bound for the cost of a watch. If a watch costs less, the measurement does not show what its end frees. */
const LEAST_BYTES_PER_WATCH = 4096;
const path = '/api/v1/namespaces/default/configmaps?watch=1&allowWatchBookmarks=true';

/** The heap of the server in bytes before, during and after the watches. */
interface Round {
  readonly before: number;
  readonly during: number;
  readonly after: number;
}

async function round(server: MeasuredServer, sessions: readonly ClientHttp2Session[]): Promise<Round> {
  const before = await server.heapBytes();
  const opening = sessions.flatMap((session) =>
    Array.from({ length: WATCHES_PER_CONNECTION }, () => server.open(session, path)),
  );
  const watches = await Promise.all(opening);
  const during = await server.heapBytes();
  await Promise.all(watches.map(reset));
  // A connection delivers frames in order: when the server answers, it has read the resets before the request.
  await Promise.all(sessions.map(async (session) => drained(await server.open(session, '/healthz'))));
  return { before, during, after: await server.heapBytes() };
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

test(`the end of ${WATCHES} watches frees at least 90 % of their memory`, async (t) => {
  await using server = await MeasuredServer.start();
  const sessions = await Promise.all(Array.from({ length: CONNECTIONS }, () => server.connect()));
  t.after(() => {
    for (const session of sessions) session.destroy();
  });
  // The first round compiles code and fills the caches and pools of the runtime, which stay.
  const first = await round(server, sessions);
  const { before, during, after } = await round(server, sessions);
  t.diagnostic(`first round: ${JSON.stringify(first)}; second round: ${JSON.stringify({ before, during, after })}`);
  const cost = during - before;
  assert.ok(cost > WATCHES * LEAST_BYTES_PER_WATCH, `the watches take ${cost} bytes`);
  assert.ok(after - before <= cost / 10, `${after - before} of ${cost} bytes are left`);
});
