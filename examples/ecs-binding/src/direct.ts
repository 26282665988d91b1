// The controller of the article, built from client, informer and queue, without a manager.
import { parseArgs } from 'node:util';
import { connect, WorkQueue } from '@kubewright/runtime';
import { EcsBinding } from './api/v1/ecs-binding.js';
import { labelsOf, textOf } from './labels.js';

const EVENTS = { added: 'Add', modified: 'Update', deleted: 'Delete' };

const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

await using cluster = await connect();
await using bindings = await cluster.cache.informer(EcsBinding);
const queue = new WorkQueue<string>();
const working = work();
if (values.once) for (const { metadata } of bindings.list()) queue.add(metadata.name);
else await enqueueChanges();
await queue.shutDown({ drain: true });
await working;

async function enqueueChanges(): Promise<void> {
  for await (const { type, object } of bindings.changes({ signal: stop.signal })) {
    console.log(`controller: ${EVENTS[type]} event, ecsbinding [${object.metadata.name}]`);
    queue.add(object.metadata.name);
  }
}

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
  if (binding === undefined) return console.log(`${name} no longer exists`);
  const labels = labelsOf(binding);
  const { metadata } = await cluster.client.patch(binding, (draft) => {
    Object.assign(draft.metadata.labels, labels);
  });
  if (metadata.resourceVersion === binding.metadata.resourceVersion) return;
  cluster.events.normal(binding, 'Labeled', `labels are ${textOf(labels)}`);
  const inCluster = bindings.list({ labels: { cluster: 'k8s-cluster' } });
  console.log(`labeled ${name}, one of ${inCluster.length}`);
}
