import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { arrival } from './arrival.js';
import { assertCost } from './assert-cost.js';
import { configMaps } from './case-bodies.js';
import { MeasuredServer } from './measured-server.js';
import { mostMs } from './most-ms.js';
import { change, deletion, namespaceDeletion, otherNamespace, readCases, seeds } from './reads-cases.js';

const senders = 8;
const watches = 150;
const watchSessions = 5;
const slowClients = 12;
/** The maximum memory in bytes for the responses to slow clients. As text, these responses take 75 MB. */
const mostSlowBytes = 16 * 1024 * 1024;
const initialEvents = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

async function seeded(): Promise<MeasuredServer> {
  const server = await MeasuredServer.start();
  const rest = seeds.values();
  assert.equal((await server.send(otherNamespace)).status, 201);
  const send = async (): Promise<void> => {
    for (const request of rest) {
      const { status, text } = await server.send(request);
      assert.equal(status, 201, `${request.method} ${request.path}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  return server;
}

describe('the longest time for which a read blocks other requests', () => {
  let server: MeasuredServer;
  before(async () => {
    server = await seeded();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const readCase of readCases) {
    test(`other requests wait for at most ${mostMs} ms while the server handles ${readCase.name}`, async (t) => {
      const { status, text, ...cost } = await server.cost(readCase);
      assert.equal(status, readCase.status, text.slice(0, 300));
      assertCost(t, cost);
    });
  }

  test(`sending the initial events of large objects blocks other requests for at most ${mostMs} ms`, async (t) => {
    const session = await server.connect();
    const { cost } = await server.costOf(async () => {
      await arrival(await server.open(session, `${configMaps}?${initialEvents}`), 'k8s.io/initial-events-end');
    });
    session.destroy();
    assertCost(t, cost);
  });

  test(`sending an event of a large object to ${watches} watches blocks other requests for at most ${mostMs} ms`, async (t) => {
    const sessions = await Promise.all(Array.from({ length: watchSessions }, () => server.connect()));
    const path = `${configMaps}?watch=1&resourceVersion=${await versionOf(server)}&fieldSelector=metadata.name%3Dtext`;
    const opened = sessions.flatMap((session) =>
      Array.from({ length: watches / watchSessions }, () => server.open(session, path)),
    );
    const streams = await Promise.all(opened);
    const { cost } = await server.costOf(async () => {
      const arrivals = streams.map((stream) => arrival(stream, '"changed":"yes"'));
      assert.equal((await server.send(change)).status, 200);
      await Promise.all(arrivals);
    });
    for (const session of sessions) session.destroy();
    assertCost(t, cost);
  });

  test(`${slowClients} clients that do not read their responses need at most ${mostSlowBytes} bytes of memory of the server`, async (t) => {
    const beforeBytes = await server.memoryBytes();
    const sessions = await Promise.all(Array.from({ length: slowClients }, () => server.connect()));
    const paths = sessions.map((_, at) => (at % 2 === 0 ? configMaps : `${configMaps}?${initialEvents}`));
    const streams = await Promise.all(sessions.map((session, at) => server.open(session, paths[at] ?? configMaps)));
    // When every client has received its first bytes, the server has sent as much as the HTTP/2 windows allow.
    await Promise.all(streams.map((stream) => once(stream, 'readable')));
    const bytes = (await server.memoryBytes()) - beforeBytes;
    for (const session of sessions) session.destroy();
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= mostSlowBytes, `${bytes} bytes`);
  });

  test(`other requests wait for at most ${mostMs} ms while the server handles ${deletion.name}`, async (t) => {
    const { status, text, ...cost } = await server.cost(deletion);
    assert.equal(status, deletion.status, text.slice(0, 300));
    assertCost(t, cost);
  });

  test(`the deletion of a namespace with many objects blocks other requests for at most ${mostMs} ms`, async (t) => {
    const session = await server.connect();
    const path = `/api/v1/namespaces?watch=1&resourceVersion=${await versionOf(server)}&fieldSelector=metadata.name%3Dother`;
    const deleted = arrival(await server.open(session, path), '"DELETED"');
    const { cost } = await server.costOf(async () => {
      assert.equal((await server.send(namespaceDeletion)).status, 200);
      await deleted;
    });
    session.destroy();
    assertCost(t, cost);
  });
});

/** Returns the resourceVersion of the store. */
async function versionOf(server: MeasuredServer): Promise<string> {
  const { text } = await server.send({ method: 'GET', path: '/api/v1/namespaces?limit=1' });
  const { metadata } = JSON.parse(text) as { readonly metadata: { readonly resourceVersion: string } };
  return metadata.resourceVersion;
}
