import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Registry } from '../../registry/registry.js';
import { systemContext } from '../../registry/requests/request-context.js';
import type { Resource } from '../../registry/resource.js';
import { Store } from '../../storage/store.js';
import type { AnswerStream } from '../answers/answer.js';
import type { Serving } from '../serving.js';
import { Presenter } from '../answers/present.js';
import type { ApiRequest } from '../api-request.js';
import { EventEncoder } from './event-encoder.js';
import { watchResource } from './watch.js';
import { WatchHub } from './watch-hub.js';

const stateFirst = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const context = systemContext('test', 'create');
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A stream that is full after each write until the test drains it. */
class SlowStream implements AnswerStream {
  readonly events: string[] = [];
  isFull = false;
  isAborted = false;
  readonly #onDrain: (() => void)[] = [];
  readonly #onClose: (() => void)[] = [];

  write(text: string | Uint8Array): void {
    const { type, object } = JSON.parse(Buffer.from(text).toString()) as {
      readonly type: string;
      readonly object: { readonly metadata: { readonly name?: string } };
    };
    this.events.push(`${type} ${object.metadata.name ?? ''}`.trim());
    this.isFull = true;
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  end(): void {
    this.events.push('end');
    this.#close();
  }

  cut(): void {
    this.#close();
  }

  abort(): void {
    this.isAborted = true;
    this.#close();
  }

  drain(): void {
    this.isFull = false;
    for (const listener of this.#onDrain) listener();
  }

  async drainAll(): Promise<readonly string[]> {
    for (let count = -1; count !== this.events.length; ) {
      count = this.events.length;
      this.drain();
      await nextTurn();
    }
    return this.events;
  }

  #close(): void {
    for (const listener of this.#onClose.splice(0)) listener();
  }
}

interface Watched {
  readonly stream: SlowStream;
  readonly configMaps: Resource;
  readonly store: Store;
  readonly hub: WatchHub;
}

function watched(query: string, options: { readonly eventLogSize?: number } = {}): Watched {
  const store = new Store(options);
  const clock = new SystemClock();
  const registry = new Registry({ store, clock });
  const configMaps = registry.builtIn('/v1/configmaps');
  for (const name of ['a', 'b']) create(configMaps, name);
  const hub = new WatchHub();
  const serving = {
    store,
    registry,
    clock,
    watches: hub,
    events: { json: new EventEncoder() },
    faults: { watch: () => () => undefined },
  } as unknown as Serving;
  const info = { verb: 'watch', group: '', version: 'v1', resource: 'configmaps' } as const;
  const request = { method: 'GET', path: '/api/v1/configmaps', query: new URLSearchParams(query), headers: {} };
  const { definition } = configMaps;
  const sent = { request: request as unknown as ApiRequest, name: undefined, streams: true };
  const presenter = new Presenter(definition, sent, serving);
  const answer = watchResource(serving, definition, { request: sent.request, info, presenter });
  assert.equal(answer.kind, 'stream');
  const stream = new SlowStream();
  if (answer.kind === 'stream') answer.run(stream);
  return { stream, configMaps, store, hub };
}

function create(configMaps: Resource, name: string): void {
  configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } }, context);
}

test('a watch sends initial objects and then events at the speed of the client', async () => {
  const { stream, configMaps } = watched(stateFirst);
  create(configMaps, 'c');
  assert.deepEqual(stream.events, ['ADDED a']);
  const all = await stream.drainAll();
  assert.deepEqual(all, ['ADDED a', 'ADDED b', 'BOOKMARK', 'ADDED c']);
  stream.end();
});

test('a watch sends the bookmark of the initial objects after these objects and before later events', async () => {
  const { stream, configMaps } = watched(stateFirst);
  configMaps.delete({ namespace: 'default', name: 'b' }, {}, context);
  assert.deepEqual(await stream.drainAll(), ['ADDED a', 'ADDED b', 'BOOKMARK', 'DELETED b']);
  stream.end();
});

test('a watch sends a requested bookmark after the pending events', async () => {
  const { stream, configMaps, store, hub } = watched('watch=1&allowWatchBookmarks=true&resourceVersion=1');
  create(configMaps, 'c');
  // This write of another kind creates a version without an event in this watch.
  store.create('/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', uid: 'u' } });
  hub.bookmark();
  assert.deepEqual(await stream.drainAll(), ['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK']);
  stream.end();
});

test('aborts a watch if the client does not read and the store has removed the waiting events', () => {
  const { stream, configMaps, hub } = watched('watch=1', { eventLogSize: 10 });
  for (let at = 0; at <= 1000; at += 1) create(configMaps, `c${at}`);
  assert.ok(stream.isAborted);
  assert.equal(hub.size, 0);
});

test('does not abort a watch whose client does not read while the store has the waiting events', async () => {
  const { stream, configMaps } = watched('watch=1', { eventLogSize: 2000 });
  for (let at = 0; at <= 1000; at += 1) create(configMaps, `c${at}`);
  assert.ok(!stream.isAborted);
  assert.equal((await stream.drainAll()).length, 1003);
  stream.end();
});
