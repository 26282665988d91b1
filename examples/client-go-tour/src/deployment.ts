// Creates, updates, lists and deletes a Deployment. Another client changes the Deployment between our read and our write.
import { mutable } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { connect, isConflict, retryOnConflict } from '@kubewright/runtime';

await using cluster = await connect();
const client = cluster.client.with({ reads: 'live' });
const key = { namespace: 'default', name: 'demo-deployment' };
const labels = { app: 'demo' };

const deployment = await client.create(
  new Deployment({
    metadata: key,
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.12' }] } },
    },
  }),
);
console.log(`created ${key.name} with ${deployment.spec.replicas} replicas`);

let isFirst = true;
const updated = await retryOnConflict(async () => {
  const draft = mutable(await client.get(Deployment, key));
  console.log(`read: ${draft.spec.replicas} replicas`);
  if (isFirst) await scaleAsSomebodyElse(3);
  isFirst = false;
  draft.spec.replicas = (draft.spec.replicas ?? 0) - 1;
  draft.spec.template.spec!.containers[0]!.image = 'nginx:1.13';
  return client.update(draft).catch((error: unknown) => {
    if (isConflict(error)) console.log('conflict: another client changed the Deployment; retrying');
    throw error;
  });
});
const [container] = updated.spec.template.spec?.containers ?? [];
console.log(`updated: ${updated.spec.replicas} replicas of ${container?.image}`);

const patched = await client.patch(updated, (draft) => {
  draft.metadata.labels['tier'] = 'web';
});
console.log(`patched without a conflict: the label tier is ${patched.metadata.labels?.['tier']}`);

console.log('Deployments in namespace default:');
for (const { metadata, spec } of await client.list(Deployment, { namespace: 'default' })) {
  console.log(`  ${metadata.name} (${spec.replicas} replicas)`);
}
await client.delete(patched);
console.log(`deleted; find returns ${await client.find(Deployment, key)}`);

async function scaleAsSomebodyElse(replicas: number): Promise<void> {
  await client.subresource(deployment, 'scale').patch({ merge: { spec: { replicas } } });
  console.log(`another client scaled the Deployment to ${replicas}`);
}
