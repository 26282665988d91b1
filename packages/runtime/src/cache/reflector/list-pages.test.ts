import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { isExpired } from '@kubewright/api/errors';
import { CONFIG_MAPS, configMap } from '../../test-support/reflector-bench.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { Transport } from '../../transport/sending/transport.js';
import { listAll, listPages } from './list-pages.js';
import { CutParser } from '../parsing/object-parser.js';
import { ObjectSource } from './object-source.js';

const { signal } = new AbortController();

async function withServer(
  run: (server: ScriptedServer, source: ObjectSource<KubeObject>) => Promise<void>,
): Promise<void> {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const source = new ObjectSource<KubeObject>({
    transport,
    resource: CONFIG_MAPS,
    parser: new CutParser(),
    clock: new ManualClock(),
    logger: new RecordingLogger(),
  });
  await run(server, source);
}

test('[CG-018] joins all pages into one list with the resourceVersion of the first page', () =>
  withServer(async (server, source) => {
    const listed = listAll(source, { resourceVersion: '', limit: 2, signal });
    (await server.next()).list('10', [configMap('a', '1'), configMap('b', '2')], 't');
    (await server.next()).list('12', [configMap('c', '3')]);
    const { objects, resourceVersion, isPaginated } = await listed;
    assert.deepEqual(
      objects.map((object) => object.metadata.name),
      ['a', 'b', 'c'],
    );
    assert.equal(resourceVersion, '10');
    assert.equal(isPaginated, true);
  }));

test('[CG-018] rejects if the first page has expired, and sends one list without a limit if a later page has expired', () =>
  withServer(async (server, source) => {
    const first = listAll(source, { resourceVersion: '5', limit: 2, signal });
    (await server.next()).status(410, 'Expired');
    await assert.rejects(first, isExpired);
    const second = listAll(source, { resourceVersion: '5', limit: 2, signal });
    (await server.next()).list('10', [configMap('a', '1')], 't');
    (await server.next()).status(410, 'Expired');
    const whole = await server.next();
    assert.deepEqual(whole.query, { resourceVersion: '5' });
    whole.list('11', [configMap('b', '2')]);
    assert.deepEqual((await second).objects, [configMap('b', '2')]);
  }));

test('[CG-018] rejects with any other error of a later page', () =>
  withServer(async (server, source) => {
    const listed = listAll(source, { resourceVersion: '', limit: 2, signal });
    (await server.next()).list('10', [configMap('a', '1')], 't');
    (await server.next()).status(500, 'InternalError', { message: 'etcd is away' });
    await assert.rejects(listed, /list configmaps: etcd is away/);
  }));

test('[CG-019] yields pages in order, and throws the error of the second page after yielding the first page', () =>
  withServer(async (server, source) => {
    const pages = listPages(source, { resourceVersion: '', limit: 1, signal });
    const first = pages.next();
    (await server.next()).list('10', [configMap('a', '1')], 't');
    const page = await first;
    assert.deepEqual(!page.done && page.value.objects, [configMap('a', '1')]);
    const second = assert.rejects(pages.next(), isExpired);
    (await server.next()).status(410, 'Expired');
    await second;
  }));

test('[CG-019] an error that the caller throws while iterating ends the iteration', () =>
  withServer(async (server, source) => {
    const consumed = (async () => {
      for await (const _ of listPages(source, { resourceVersion: '', limit: 1, signal })) throw new Error('enough');
    })();
    const rejected = assert.rejects(consumed, /enough/);
    (await server.next()).list('10', [configMap('a', '1')], 't');
    await rejected;
    assert.equal(server.requests, 1);
  }));

test('[CG-020] requests no further page after the caller ends the iteration', () =>
  withServer(async (server, source) => {
    const consumed = (async () => {
      for await (const _ of listPages(source, { resourceVersion: '', limit: 1, signal })) break;
    })();
    (await server.next()).list('10', [configMap('a', '1')], 't');
    await consumed;
    assert.equal(server.requests, 1);
    assert.equal(server.unconsumed, 0);
  }));
