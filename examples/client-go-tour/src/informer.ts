// An informer of Pods: a store that combines lister and indexer, and a stream of changes.
import { Pod } from '@kubewright/api/core/v1';
import { connect, index } from '@kubewright/runtime';

const namespace = 'default';
const labels = { tour: 'informer' };
const podsByNode = index(Pod, 'node', (pod) => pod.spec.nodeName);
const podsByLabel = index(Pod, 'label', (pod) => Object.keys(pod.metadata.labels ?? {}));

await using cluster = await connect();
const { client } = cluster;
await client.create(podOn('node-1', 'web-0'));
await client.create(podOn('node-1', 'web-1'));

await using pods = await cluster.cache.informer(Pod, { namespace, labels, indexes: [podsByNode, podsByLabel] });
console.log(`the store contains ${pods.size} Pods; reads from the store send no requests`);
console.log(`by key: ${pods.get({ namespace, name: 'web-1' })?.metadata.name}`);
await client.create(podOn('node-2', 'web-2'));
console.log(`lister: ${namesOf(pods.list())}, including our own write`);
console.log(`indexer, node node-1: ${namesOf(pods.list({ index: podsByNode('node-1') }))}`);
console.log(`indexer, label 'tour': ${namesOf(pods.list({ index: podsByLabel('tour') }))}`);
console.log(`indexer, namespace ${namespace}: ${namesOf(pods.list({ namespace }))}`);

const second = listen();
const first: string[] = [];
for await (const { type, object } of pods.changes()) {
  console.log(`${type} ${object.metadata.name}`);
  first.push(`${type} ${object.metadata.name}`);
  if (object.metadata.name !== 'web-2') continue;
  if (type === 'added') await client.patch(object, { merge: { metadata: { annotations: { seen: 'yes' } } } });
  if (type === 'modified' && !object.metadata.deletionTimestamp)
    await client.deleteAll(Pod, { namespace, labels, gracePeriodSeconds: 0 });
  if (type === 'deleted') break;
}
const same = (await second).join() === first.join();
console.log(`a second listener of the same watch received ${same ? 'the same' : 'different'} changes`);

/** Collects the same changes without another watch. */
async function listen(): Promise<readonly string[]> {
  const changes: string[] = [];
  for await (const { type, object } of pods.changes()) {
    changes.push(`${type} ${object.metadata.name}`);
    if (type === 'deleted' && object.metadata.name === 'web-2') break;
  }
  return changes;
}

function podOn(nodeName: string, name: string): Pod {
  return new Pod({
    metadata: { namespace, name, labels },
    spec: { nodeName, containers: [{ name: 'web', image: 'nginx:1.12' }] },
  });
}
function namesOf(listed: readonly Pod[]): string {
  return listed
    .map((pod) => pod.metadata.name)
    .toSorted()
    .join(', ');
}
