import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import type { JsonObject } from '@kubewright/api/json';
import { loadMessages, ProtobufEncoder } from '@kubewright/api/protobuf';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { CONFIG_MAPS, configMap } from '../../test-support/reflector-bench.js';
import { type Exchange, ScriptedServer } from '../../test-support/scripted-server.js';
import { ProtobufKind } from '../../transport/answer/protobuf-kind.js';
import type { ProtobufListFrames } from '../../transport/answer/protobuf-list-frames.js';
import { Transport } from '../../transport/sending/transport.js';
import { CutParser } from '../parsing/object-parser.js';
import { LengthFrames } from './length-frames.js';
import { listAll } from './list-pages.js';
import { ObjectSource } from './object-source.js';
import { openWatch, type WatchStream } from './watch-stream.js';

const ACCEPT = 'application/vnd.kubernetes.protobuf,application/json';
const STREAM = 'application/vnd.kubernetes.protobuf;stream=watch';
const { signal } = new AbortController();
const encoder = new ProtobufEncoder();
const types = {
  core: await loadMessages('v1'),
  meta: await loadMessages('meta.k8s.io/v1'),
};
const managedFields = [{ manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:data': {} } }];
const objects = ['a', 'b'].map((name, at) =>
  configMap(name, String(at + 5), {
    metadata: { labels: { app: 'web' }, managedFields },
    data: { key: 'größer', other: '' },
  }),
);
const kept = objects.map(({ metadata, ...rest }) => {
  const { managedFields: _, ...more } = metadata as KubeObject['metadata'] & { managedFields?: unknown };
  return { ...rest, metadata: more };
});

function message(name: string, value: object): Buffer {
  const type = types.core?.type(name) ?? types.meta?.type(name);
  assert.ok(type, name);
  return encoder.message(type, value as JsonObject);
}

function object(value: object): Buffer {
  const { apiVersion, kind } = value as KubeObject;
  return encoder.enveloped(message(kind, value), { apiVersion, kind });
}

function list(items: readonly Buffer[], kind = 'ConfigMapList'): Buffer {
  const metadata = encoder.field(1, message('ListMeta', { resourceVersion: '10' }));
  return encoder.enveloped(Buffer.concat([metadata, ...items.map((item) => encoder.field(2, item))]), {
    apiVersion: 'v1',
    kind,
  });
}

const listed = list(objects.map((each) => message('ConfigMap', each)));
const status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'no',
  reason: 'Forbidden',
  code: 403,
};

interface Bench {
  readonly server: ScriptedServer;
  readonly source: ObjectSource<KubeObject>;
  readonly logger: RecordingLogger;
}

async function withServer(run: (bench: Bench) => Promise<void>, { metadataOnly = false } = {}): Promise<void> {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const logger = new RecordingLogger();
  const resource = { ...CONFIG_MAPS, builtIn: true };
  const source = new ObjectSource<KubeObject>({
    transport,
    resource,
    metadataOnly,
    parser: new CutParser(),
    protobuf: new ProtobufKind({ resource, logger, shareValues: true, keepManagedFields: false }),
    clock: new ManualClock(),
    logger,
  });
  await run({ server, source, logger });
}

async function watched({
  server,
  source,
}: Bench): Promise<{ readonly stream: WatchStream<KubeObject>; readonly exchange: Exchange }> {
  const request = { resourceVersion: '10', initial: false, timeoutSeconds: 60, silenceMs: 90_000, signal };
  const opened = openWatch(source, request);
  const exchange = await server.next();
  exchange.open(STREAM);
  return { stream: await opened, exchange };
}

describe('protobuf responses', () => {
  test('reads a list to the objects of its JSON, frozen and without managedFields', () =>
    withServer(async ({ server, source }) => {
      const read = listAll(source, { resourceVersion: '', signal });
      const exchange = await server.next();
      assert.equal(exchange.headers.accept, ACCEPT);
      exchange.protobuf(200, listed);
      const found = await read;
      assert.deepEqual(found.objects, kept);
      assert.equal(found.resourceVersion, '10');
      assert.ok(found.objects.every((each) => Object.isFrozen(each) && Object.isFrozen(each.metadata.labels)));
    }));

  test('reads a list that is split at every byte, and rejects a list that is truncated at every byte', async () => {
    const protobuf = new ProtobufKind({
      resource: { ...CONFIG_MAPS, builtIn: true },
      logger: new RecordingLogger(),
      shareValues: true,
      keepManagedFields: false,
    });
    const reader = await protobuf.reader();
    assert.ok(reader);
    const envelope = { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '10' }, items: [] };
    for (let at = 0; at <= listed.length; at++) {
      const frames: ProtobufListFrames = reader.listFrames('list');
      const items = [listed.subarray(0, at), listed.subarray(at)].flatMap((part) => frames.push(part));
      assert.deepEqual(
        [...items, ...frames.end()].map(({ value }) => value),
        kept,
      );
      assert.deepEqual(frames.envelope(), envelope);
      // The last four bytes are the empty fields after the list.
      if (at >= listed.length - 4) continue;
      const cut = reader.listFrames('list');
      assert.throws(() => [cut.push(listed.subarray(0, at)), cut.end()], { name: 'MalformedProtobufError' });
    }
  });

  test('reads events that are split at every byte', () => {
    const events = Buffer.concat(objects.map((each) => encoder.event('ADDED', object(each))));
    const whole = new LengthFrames('watch').push(events);
    assert.equal(whole.length, 2);
    for (let at = 0; at <= events.length; at++) {
      const frames = new LengthFrames('watch');
      assert.deepEqual(
        [events.subarray(0, at), events.subarray(at)].flatMap((part) => frames.push(part)),
        whole,
      );
      assert.equal(frames.rest().length, 0);
    }
    assert.throws(() => new LengthFrames('watch', 100).push(Buffer.from('7fffffff', 'hex')), {
      code: 'INVALID_RESPONSE',
    });
  });

  test('reads the events of a watch, with bookmarks and errors', () =>
    withServer(async (bench) => {
      const { stream, exchange } = await watched(bench);
      exchange.send(encoder.event('ADDED', object(objects[0] as KubeObject)));
      assert.deepEqual(await stream.next(), { type: 'ADDED', object: kept[0], resourceVersion: '5' });
      exchange.send(encoder.event('BOOKMARK', object({ ...CONFIG_MAPS, metadata: { resourceVersion: '7' } })));
      assert.deepEqual(await stream.next(), { type: 'BOOKMARK', resourceVersion: '7', endsInitial: false });
      exchange.send(encoder.event('ERROR', object({ ...status, reason: 'Expired', code: 410 })));
      await assert.rejects(stream.next(), (error) => error instanceof ApiError && error.status === 410);
      stream.close();
    }));

  test('reports a truncated event, and rejects an event that is not protobuf', () =>
    withServer(async (bench) => {
      const event = encoder.event('ADDED', object(objects[0] as KubeObject));
      const cut = await watched(bench);
      cut.exchange.send(event.subarray(0, -1)).end();
      assert.equal(await cut.stream.next(), undefined);
      assert.match(String(cut.stream.brokenBy), /ended in the middle of an event/);
      const invalid = await watched(bench);
      invalid.exchange.send(Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from('{"a')]));
      await assert.rejects(invalid.stream.next(), {
        code: 'INVALID_RESPONSE',
        message: /^watch configmaps: an event is not protobuf: .*\(byte \d+\)/,
      });
    }));

  test('reads JSON if the server returns JSON', () =>
    withServer(async ({ server, source }) => {
      const read = listAll(source, { resourceVersion: '', signal });
      (await server.next()).list('10', objects);
      assert.deepEqual((await read).objects, kept);
    }));

  test('reads the Status of an error', () =>
    withServer(async ({ server, source }) => {
      const read = listAll(source, { resourceVersion: '', signal });
      (await server.next()).protobuf(403, object(status));
      await assert.rejects(
        read,
        (error) => error instanceof ApiError && error.reason === 'Forbidden' && /: no/.test(error.message),
      );
    }));

  test('requests metadata, and reads lists of metadata', () =>
    withServer(
      async ({ server, source }) => {
        const read = listAll(source, { resourceVersion: '', signal });
        const exchange = await server.next();
        const as = ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
        assert.equal(exchange.headers.accept, `application/vnd.kubernetes.protobuf${as},application/json${as}`);
        const items = objects.map((each) => message('PartialObjectMetadata', each));
        exchange.protobuf(200, list(items, 'PartialObjectMetadataList'));
        assert.deepEqual(
          (await read).objects.map(({ metadata }) => metadata),
          kept.map(({ metadata }) => metadata),
        );
      },
      { metadataOnly: true },
    ));

  test('rejects a list of another kind, a list that is not complete, and an unknown envelope', () =>
    withServer(async ({ server, source }) => {
      for (const [body, text] of [
        [list([], 'PodList'), /returned PodList of v1 instead of ConfigMapList of v1/],
        [listed.subarray(0, -20), /the list is not complete/],
        [Buffer.from('{"kind":"ConfigMapList"}'), /do(es)? not start with 'k8s'/],
      ] as const) {
        const read = listAll(source, { resourceVersion: '', signal });
        (await server.next()).protobuf(200, body);
        await assert.rejects(
          read,
          (error) => error instanceof KubewrightError && error.code === 'INVALID_RESPONSE' && text.test(error.message),
        );
      }
    }));

  test('requests JSON after a list with a field that the message does not have', () =>
    withServer(async ({ server, source, logger }) => {
      const read = listAll(source, { resourceVersion: '', signal });
      const unknown = Buffer.concat([
        message('ConfigMap', objects[0] as KubeObject),
        encoder.field(9, Buffer.from('x')),
      ]);
      (await server.next()).protobuf(200, list([unknown]));
      const repeated = await server.next();
      assert.equal(repeated.headers.accept, 'application/json');
      repeated.list('10', objects);
      assert.deepEqual((await read).objects, kept);
      assert.equal(logger.lines.filter(({ message: text }) => /requesting JSON/.test(text)).length, 1);
      const again = listAll(source, { resourceVersion: '', signal });
      const next = await server.next();
      assert.equal(next.headers.accept, 'application/json');
      next.list('10', []);
      await again;
    }));

  test('ends a watch at an event with a field that the message does not have, and watches JSON next', () =>
    withServer(async (bench) => {
      const { stream, exchange } = await watched(bench);
      const [first] = objects as [KubeObject];
      const unknown = Buffer.concat([message('ConfigMap', first), encoder.field(9, Buffer.from('x'))]);
      exchange.send(encoder.event('ADDED', object(first)));
      exchange.send(encoder.event('MODIFIED', encoder.enveloped(unknown, { apiVersion: 'v1', kind: 'ConfigMap' })));
      assert.equal((await stream.next())?.type, 'ADDED');
      assert.equal(await stream.next(), undefined);
      assert.ok(stream.brokenBy instanceof KubewrightError && stream.brokenBy.code === 'REQUEST_FAILED');
      const request = { resourceVersion: '5', initial: false, timeoutSeconds: 60, silenceMs: 90_000, signal };
      const opened = openWatch(bench.source, request);
      const next = await bench.server.next();
      assert.equal(next.headers.accept, 'application/json');
      next.open();
      (await opened).close();
    }));
});
