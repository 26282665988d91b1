// The eight methods of the article's EcsBindingInterface. The client of Kubewright has these methods for every kind.
import { mutable } from '@kubewright/api';
import { connect } from '@kubewright/runtime';
import { EcsBinding } from './api/v1/ecs-binding.js';

const labels = { 'made-by': 'clientset' };
const bindingOf = (name: string) => new EcsBinding({ metadata: { name, labels }, spec: { nodename: 'node-7' } });

await using cluster = await connect();
const client = cluster.client.with({ reads: 'live' });

const created = await client.create(bindingOf('ecs-7'));
console.log(`Create: ${created.metadata.name} on ${created.spec.nodename}`);

const draft = mutable(await client.get(EcsBinding, { name: 'ecs-7' }));
console.log(`Get: ${draft.metadata.name}`);
draft.spec.innerip = '10.0.0.7';
const updated = await client.update(draft);
console.log(`Update: ${updated.metadata.name} has ${updated.spec.innerip}`);

const patched = await client.patch(updated, { merge: { spec: { nodename: 'node-8' } } });
console.log(`Patch: ${patched.metadata.name} on ${patched.spec.nodename}`);

await client.create(bindingOf('ecs-8'));
for (const { apiVersion, kind, metadata } of await client.list(EcsBinding, { labels })) {
  console.log(`List: ${apiVersion} ${kind} ${metadata.name}`);
}

await client.delete(patched);
console.log(`Delete: ${patched.metadata.name}`);
await client.deleteAll(EcsBinding, { labels });
console.log(`DeleteCollection: ${(await client.list(EcsBinding, { labels })).length} objects left`);

// The watch starts at the resourceVersion of the created object, so it reports every later change.
const { resourceVersion } = created.metadata;
for await (const { type, object } of client.live.watch(EcsBinding, { labels, resourceVersion })) {
  console.log(`Watch: ${type} ${object.metadata.name}`);
  if (type === 'deleted' && object.metadata.name === 'ecs-8') break;
}
