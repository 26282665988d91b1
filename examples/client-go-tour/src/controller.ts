// A controller without the framework: an informer adds keys to a queue, and two workers process them. A key that always fails is dropped.
import { ConfigMap } from '@kubewright/api/core/v1';
import { connect, exponential, WorkQueue } from '@kubewright/runtime';

const WORKERS = 2;
const MAX_RETRIES = 3;
const namespace = 'default';
const labels = { tour: 'controller' };

await using cluster = await connect();
const { client } = cluster;
await using settings = await cluster.cache.informer(ConfigMap, { namespace, labels });
const queue = new WorkQueue<string>({ delayRule: exponential({ initial: '5ms', max: '1s' }) });
const failuresLeft = new Map([
  ['flaky', 2],
  ['broken', Number.POSITIVE_INFINITY],
]);
const unfinished = new Set(['good', 'flaky', 'broken']);

for (const name of unfinished) await client.create(new ConfigMap({ metadata: { namespace, name, labels } }));
await Promise.all([enqueueChanges(), ...Array.from({ length: WORKERS }, work)]);

/** Adds the names of changed objects to the queue until every object is deleted. */
async function enqueueChanges(): Promise<void> {
  let existing = unfinished.size;
  for await (const { type, object } of settings.changes()) {
    queue.add(object.metadata.name);
    if (type === 'deleted' && --existing === 0) break;
  }
  await queue.shutDown({ drain: true });
}

async function work(): Promise<void> {
  for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
    const { key, attempt } = item;
    try {
      await sync(key);
      queue.forget(key);
    } catch (error) {
      await retry(key, attempt, error);
    } finally {
      queue.done(key);
    }
  }
}

/** Processes one key. If the object does not exist, only writes a line. */
async function sync(name: string): Promise<void> {
  const object = settings.get({ namespace, name });
  if (object === undefined) return console.log(`${name} no longer exists`);
  const left = failuresLeft.get(name) ?? 0;
  failuresLeft.set(name, left - 1);
  if (left > 0) throw new Error('simulated error');
  console.log(`synced ${name}`);
  await finish(name);
}

async function retry(name: string, attempt: number, error: unknown): Promise<void> {
  if (attempt <= MAX_RETRIES) {
    console.log(`error syncing ${name}: ${String(error)}; retry ${attempt}`);
    return queue.add(name, { rateLimited: true });
  }
  queue.forget(name);
  console.log(`dropped ${name} from the queue: ${String(error)}`);
  await finish(name);
}

/** Deletes all objects after the last key is processed. */
async function finish(name: string): Promise<void> {
  if (unfinished.delete(name) && unfinished.size === 0) await client.deleteAll(ConfigMap, { namespace, labels });
}
