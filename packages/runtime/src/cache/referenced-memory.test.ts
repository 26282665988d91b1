import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Secret } from '@kubewright/api/core/v1';
import { CacheBench } from '../test-support/cache-bench.js';
import type { Exchange, ScriptedServer } from '../test-support/scripted-server.js';
import type { InformerCache } from './informer-cache.js';
import type { InformerHandle } from './informer/informer-handle.js';

const COUNT = 10_000;
const namespace = 'default';
const REFERENCED = ['secret-10', 'secret-5000', 'secret-9999'];
const MEGABYTE = 1024 * 1024;

/** Returns the JSON of a Secret of 1 KB, as an API server formats it. */
function secretText(name: string, resourceVersion: number): string {
  const metadata = { name, namespace, uid: `uid-${name}`, resourceVersion: `${resourceVersion}` };
  return JSON.stringify({ metadata, data: { password: name.padEnd(900, 'x') }, type: 'Opaque' });
}
function namesOf({ query }: Exchange): readonly string[] {
  const [, name] = /^metadata\.name=(.*)$/.exec(query.fieldSelector ?? '') ?? [];
  return name === undefined ? Array.from({ length: COUNT }, (_, at) => `secret-${at}`) : [name];
}
/** Responds to a list or a watch. Returns whether the request was a watch. */
function answer(exchange: Exchange): boolean {
  if (exchange.query.watch === undefined) {
    const items = namesOf(exchange).map((name, at) => secretText(name, at + 1));
    const list = '"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"20000"}';
    exchange.text(200, `{${list},"items":[${items.join(',')}]}`);
    return false;
  }
  sendChanges(exchange);
  return true;
}
/** Sends a change of each Secret that the watch selects, followed by a bookmark. */
function sendChanges(exchange: Exchange): void {
  const objects = namesOf(exchange).map((name, at) => {
    return `{"type":"MODIFIED","object":{"kind":"Secret","apiVersion":"v1",${secretText(name, 20_001 + at).slice(1)}}\n`;
  });
  exchange.send(objects.join('')).bookmark('40000');
}
/** Responds to lists and watches without storing the responses. Never resolves, and rejects if a response fails. */
async function serve(server: ScriptedServer, onWatch: () => void): Promise<never> {
  for (;;) if (answer(await server.next())) onWatch();
}

/** Returns the growth of the heap in bytes and the number of stored Secrets after `select` has selected from 10,000 Secrets. */
async function growth(
  maxNamedWatches: number,
  watches: number,
  select: (cache: InformerCache) => Promise<InformerHandle<Secret>>,
): Promise<{ readonly bytes: number; readonly stored: number }> {
  await using bench = await CacheBench.start({ maxNamedWatches });
  const { cache, server } = bench;
  let opened = 0;
  const before = await heapUsed();
  const complete = async (): Promise<void> => {
    const informer = await select(cache);
    await informer.synced();
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (opened === watches && informer.resourceVersion === '40000') resolve();
      };
      cache.onProgress(check);
      check();
    });
  };
  await Promise.race([serve(server, () => opened++), complete()]);
  const bytes = (await heapUsed()) - before;
  return { bytes, stored: cache.informers()[0]?.size ?? 0 };
}

async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
}
async function referenced(cache: InformerCache): Promise<InformerHandle<Secret>> {
  const informer = await cache.acquire(Secret, { byKeys: true });
  informer.selectKeys(REFERENCED.map((name) => ({ namespace, name })));
  return informer;
}

test('3 referenced Secrets among 10,000 Secrets of 1 KB use less than 1 MB of heap, both with watches by name and with a watch of the namespace', async () => {
  // The first call compiles the code and fills the caches of Node.js.
  await growth(20, 3, referenced);
  const whole = await growth(20, 1, (cache) => cache.acquire(Secret));
  assert.equal(whole.stored, COUNT);
  assert.ok(whole.bytes > 10 * MEGABYTE, `all Secrets take ${whole.bytes} bytes`);
  const byName = await growth(20, 3, referenced);
  assert.equal(byName.stored, 3);
  assert.ok(byName.bytes < MEGABYTE, `by name ${byName.bytes} bytes`);
  const byNamespace = await growth(1, 1, referenced);
  assert.equal(byNamespace.stored, 3);
  assert.ok(byNamespace.bytes < MEGABYTE, `by namespace ${byNamespace.bytes} bytes`);
});
