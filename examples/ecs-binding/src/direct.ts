// The same with client, informer and queue used directly: what manager and controller do, by hand.
import { connect, WorkQueue } from '@kubewright/runtime';
import { EcsBinding } from './api/v1/ecs-binding.js';
import { labelsOf } from './labels.js';

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
process.once('SIGINT', () => stop.abort());

await using cluster = await connect();
await using bindings = await cluster.cache.informer(EcsBinding);
const queue = new WorkQueue<string>();
const working = work();
for await (const { type, object } of bindings.changes({ signal: stop.signal })) {
  console.log(`${type} ${object.metadata.name}`);
  if (type !== 'deleted') queue.add(object.metadata.name);
}
await queue.shutDown({ drain: true });
await working;

async function work(): Promise<void> {
  for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
    try {
      await label(item.key);
      queue.forget(item.key);
    } catch (error) {
      console.error(`${item.key}: ${String(error)}`);
      queue.add(item.key, { rateLimited: true });
    } finally {
      queue.done(item.key);
    }
  }
}

async function label(name: string): Promise<void> {
  const binding = bindings.get({ name });
  if (binding === undefined) return;
  await cluster.client.patch(binding, ({ metadata }) => {
    Object.assign(metadata.labels, labelsOf(binding));
  });
  const inCluster = bindings.list({ labels: { cluster: 'k8s-cluster' } });
  console.log(`labelled ${name}, one of ${inCluster.length}`);
}
