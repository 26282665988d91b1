// An informer of Pods: a store that is lister and indexer in one, and the changes that it tells.
import { Pod } from '@kubewright/api/core/v1';
import { connect, index } from '@kubewright/runtime';

const namespace = 'default';
const labels = { tour: 'informer' };
const podsByNode = index(Pod, 'node', (pod) => pod.spec.nodeName);

await using cluster = await connect();
const { client } = cluster;
await client.create(podOn('node-1', 'web-0'));
await client.create(podOn('node-1', 'web-1'));

await using pods = await cluster.cache.informer(Pod, { namespace, labels, indexes: [podsByNode] });
console.log(`the store holds ${pods.size} Pods; reads of it ask no server`);
console.log(`by key: ${pods.get({ namespace, name: 'web-1' })?.metadata.name}`);
await client.create(podOn('node-2', 'web-2'));
console.log(`lister: ${namesOf(pods.list())}, our own write among them at once`);
console.log(`indexer, on node-1: ${namesOf(pods.list({ index: podsByNode('node-1') }))}`);

for await (const { type, object } of pods.changes()) {
  console.log(`${type} ${object.metadata.name}`);
  if (object.metadata.name !== 'web-2') continue;
  if (type === 'added') await client.deleteAll(Pod, { namespace, labels, gracePeriodSeconds: 0 });
  if (type === 'deleted') break;
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
