// Checks that the write methods of a client accept client-node models, and still reject all other invalid input.
import type {
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1NetworkPolicy,
  V1Pod,
  V1Service,
} from '@kubernetes/client-node';
import type { KubeObject, MetadataOnly, WholeObject } from '@kubewright/api';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import type { Client } from '@kubewright/runtime';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;
declare const client: Client;
declare const owner: KubeObject;
declare const model: V1Pod;
declare const service: V1Service;
declare const policy: V1NetworkPolicy;
declare const definition: V1CustomResourceDefinition;
declare const pod: Pod;
declare const bare: MetadataOnly<ConfigMap>;

// Models: the response has times as strings, and the field names of the wire format.
const created = await client.create(model);
yes<Equal<typeof created.metadata.creationTimestamp, string>>();
yes<Equal<NonNullable<typeof created.status>['startTime'], string | undefined>>();
const image: string | undefined = created.spec?.containers[0]?.image;
const updated = await client.update(policy);
yes<
  Equal<
    NonNullable<NonNullable<typeof updated.spec>['ingress']>[number]['from'] extends object | undefined ? true : false,
    true
  >
>();
const applied = await client.apply(definition, { force: true });
const schema = applied.spec?.versions[0]?.schema?.openAPIV3Schema;
yes<Equal<NonNullable<typeof schema>['x-kubernetes-list-type'], string | undefined>>();
const patched = await client.patch(model, (draft) => {
  draft.metadata.labels = { image: image ?? '' };
});
yes<Equal<typeof patched, typeof created>>();
await client.patchStatus(model, { phase: 'Running' });
await client.createOrPatch(model, (draft) => {
  draft.metadata.labels = {};
});
await client.delete(model);
const [child, other] = await client.applyOwned(owner, [model, service]);
yes<Equal<typeof child, typeof created>>();
yes<Equal<typeof other.kind, string>>();

// Objects of Kubewright keep their types, also in generic code.
yes<Equal<Awaited<ReturnType<typeof same<Pod>>>, Pod>>();
async function same<T extends WholeObject>(object: T): Promise<T> {
  const [mine] = await client.applyOwned(owner, [object]);
  yes<Equal<typeof mine, T>>();
  await client.patch(object, (draft) => void draft);
  return (await client.create(object)) && client.apply(object);
}
const ours = await client.create(pod);
yes<Equal<typeof ours, Pod>>();
const parsed: Pod = await client.create(JSON.parse('{}'));
await client.delete(parsed);

// Invalid input is still rejected.
// @ts-expect-error only the metadata was read
await client.create(bare);
// @ts-expect-error neither an object with a kind nor a model
await client.create({});
// @ts-expect-error neither an object with a kind nor a model
await client.apply({ metadata: { name: 'a' } });
// @ts-expect-error neither an object with a kind nor a model
await client.update({ metadata: { name: 'a' } });
// @ts-expect-error a misspelled field
await client.create(new ConfigMap({ metadata: { name: 'a' }, dta: {} }));
// @ts-expect-error a field that the status does not have
await client.patchStatus(pod, { phaze: 'Running' });
// @ts-expect-error a field that the status of the model does not have
await client.patchStatus(model, { phaze: 'Running' });
await client.patch(model, (draft) => {
  // @ts-expect-error times are strings
  draft.metadata.creationTimestamp = new Date();
});
// @ts-expect-error a list of objects and models: convert the models with fromClientNode
await client.applyOwned(owner, [pod, model]);
// @ts-expect-error neither a child nor a model
await client.applyOwned(owner, [{ name: 'a' }]);
declare const map: V1ConfigMap;
await client.create(map);
