// The dynamic client and the typed client are the same client. For a kind with a type, the compiler also checks the fields.
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ApiError, connect } from '@kubewright/runtime';

await using cluster = await connect();
const client = cluster.client.with({ fieldValidation: 'Strict' });
const key = { namespace: 'default', name: 'dynamic-deployment' };
const labels = { app: 'dynamic' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.12' }] } };

// The program knows only the group and the kind; discovery returns the version and the plural name.
const found = await cluster.discovery.find({ group: 'apps', kind: 'Deployment' });
console.log(
  `found ${found.kind}: ${found.apiVersion}, ${found.plural}, ${found.namespaced ? 'namespaced' : 'cluster-scoped'}`,
);
const Dynamic = dynamicKind(found.apiVersion, found.kind);
await client.create(new Dynamic({ metadata: key, spec: { replicas: 1, selector: { matchLabels: labels }, template } }));
const untyped = await client.live.get(Dynamic, key);
console.log(`dynamic: the type of spec is unknown: ${JSON.stringify(untyped['spec']).slice(0, 14)} …`);

// Declares only the fields that the program uses.
interface Scaled extends KubeObject {
  readonly spec: { readonly replicas: number };
}
const partly = await client.live.get(dynamicKind<Scaled>(found.apiVersion, found.kind), key);
await client.patch(partly, (draft) => {
  draft.spec.replicas += 1;
});
const typed = await client.live.get(Deployment, key);
for (const { metadata } of await client.live.list(Dynamic, { namespace: 'default' })) {
  console.log(`dynamic: found ${metadata.name} in namespace default`);
}
console.log(`typed: ${typed.spec.replicas} replicas of ${typed.spec.template.spec?.containers[0]?.image}`);

// A typo: with the type, the compiler reports the wrong field; without the type, the server reports the wrong field.
// @ts-expect-error -- Property 'replica' does not exist on type 'DeploymentSpec'. Did you mean 'replicas'?
console.log(`typed, despite the compiler error: ${typed.spec.replica} replicas`);
const wrong = {
  metadata: { ...key, name: 'wrong' },
  spec: { replica: 1, selector: { matchLabels: labels }, template },
};
await client.create(new Dynamic(wrong)).catch((error: unknown) => {
  if (error instanceof ApiError) console.log(`dynamic: ${error.message}`);
});
await client.delete(typed);
