import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareEvents, eventOf } from './workload-steps.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const secrets = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/secrets`;
const quiet = { quiet: true };
const isNotFound = ({ status }: { status: number }): boolean => status === 404;
const meta = {
  only: [
    'metadata.name',
    'metadata.finalizers',
    'metadata.ownerReferences',
    'metadata.deletionGracePeriodSeconds',
    'reason',
    'code',
  ],
};
const names = { only: ['items.*.metadata.name', 'items.*.metadata.ownerReferences', 'items.*.metadata.finalizers'] };

type Owner = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly uid: string };
};

const reference = ({ kind, apiVersion, metadata: { name, uid } }: Owner, more: object = {}): object => ({
  apiVersion,
  kind,
  name,
  uid,
  ...more,
});

/** Creates a ConfigMap with the given owners. */
async function make(
  api: ContractApi,
  name: string,
  {
    owners = [],
    finalizers = [],
  }: { readonly owners?: readonly object[]; readonly finalizers?: readonly string[] } = {},
): Promise<Owner> {
  const metadata = { name, ownerReferences: owners, finalizers };
  const { body } = await api.post(configMaps(api), { metadata }, quiet);
  return { ...body, kind: 'ConfigMap', apiVersion: 'v1' };
}

/**
 * Creates a marker object after all other objects and waits until it is collected. The collector has then processed all earlier objects.
 */
async function afterCollection(api: ContractApi): Promise<void> {
  const owner = await make(api, 'last-owner');
  await make(api, 'last', { owners: [reference(owner)] });
  await api.delete(`${configMaps(api)}/last-owner`, { propagationPolicy: 'Background' }, quiet);
  await api.until(`${configMaps(api)}/last`, isNotFound);
}

const release = { metadata: { finalizers: null } };

contract(
  'garbage-collection',
  {},
  {
    'deletes the dependents of a deleted owner': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`);
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await api.get(`${configMaps(api)}/child`);
    },
    'deletes three generations of objects': async (api) => {
      const owner = await make(api, 'a');
      const child = await make(api, 'b', { owners: [reference(owner)] });
      await make(api, 'c', { owners: [reference(child)] });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Background' });
      await api.until(`${configMaps(api)}/c`, isNotFound);
      await api.get(`${configMaps(api)}?labelSelector=!x`, { only: ['items.*.metadata.name'] });
    },
    'keeps an object with a remaining owner, and removes the reference to the deleted owner': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      await make(api, 'child', { owners: [reference(a), reference(b)] });
      await api.delete(`${configMaps(api)}/a`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.ownerReferences.length === 1);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'deletes an object when its last owner is deleted': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      await make(api, 'child', { owners: [reference(a), reference(b)] });
      await api.delete(`${configMaps(api)}/a`, undefined, quiet);
      await api.delete(`${configMaps(api)}/b`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await api.get(`${configMaps(api)}/child`);
    },
    'deletes an object whose owner reference does not have the uid of the existing owner': async (api) => {
      const owner = await make(api, 'owner');
      const uid = '11111111-2222-3333-4444-555555555555';
      await make(api, 'child', { owners: [{ ...reference(owner), uid }] });
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await api.get(`${configMaps(api)}/owner`, meta);
    },
    'deletes an object whose owner never existed': async (api) => {
      const uid = '11111111-2222-3333-4444-555555555555';
      await make(api, 'child', { owners: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid }] });
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await api.get(`${configMaps(api)}/child`);
    },
    'keeps an object with an owner of a kind that is not served': async (api) => {
      const uid = '11111111-2222-3333-4444-555555555555';
      await make(api, 'child', { owners: [{ apiVersion: 'nowhere.example.com/v1', kind: 'Nothing', name: 'x', uid }] });
      await afterCollection(api);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'keeps an object with an owner of a version that is not served': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [{ ...reference(owner), apiVersion: 'v9' }] });
      await afterCollection(api);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'deletes an object whose owner is in another namespace, and reports the owner reference in an Event': async (
      api,
    ) => {
      const other = api.name('elsewhere');
      await api.post('/api/v1/namespaces', { metadata: { name: other } }, quiet);
      const { body } = await api.post(`/api/v1/namespaces/${other}/configmaps`, { metadata: { name: 'owner' } }, quiet);
      await make(api, 'child', { owners: [reference({ ...body, kind: 'ConfigMap', apiVersion: 'v1' })] });
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await eventOf(api, 'child', 'OwnerRefInvalidNamespace');
      await compareEvents(api, 'ConfigMap', 'child');
    },
    'keeps a namespaced object until its cluster-scoped owner is deleted': async (api) => {
      const name = api.name('role');
      const { body } = await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name } }, quiet);
      const owner = { ...body, kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1' };
      await make(api, 'child', { owners: [reference(owner)] });
      await afterCollection(api);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.delete(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await api.get(`${configMaps(api)}/child`);
    },
    'keeps a cluster-scoped object with a namespaced owner': async (api) => {
      const owner = await make(api, 'owner');
      const name = api.name('role');
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
      await api.post(roles, { metadata: { name, ownerReferences: [reference(owner)] } }, quiet);
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await afterCollection(api);
      await api.get(`${roles}/${name}`, meta);
    },
    'waits for blocking dependents in a foreground deletion': async (api) => {
      const owner = await make(api, 'owner');
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await make(api, 'child', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, meta);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/owner`, meta);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${configMaps(api)}/child`);
    },
    'does not wait for dependents that do not block a foreground deletion': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)], finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, meta);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
    },
    'deletes all generations in a foreground deletion': async (api) => {
      const owner = await make(api, 'a');
      const child = await make(api, 'b', { owners: [reference(owner, { blockOwnerDeletion: true })] });
      const owners = [reference(child, { blockOwnerDeletion: true })];
      await make(api, 'c', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/c`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(configMaps(api) + '?fieldSelector=metadata.name!=kube-root-ca.crt', names);
      await api.patch(`${configMaps(api)}/c`, release, quiet);
      await api.until(`${configMaps(api)}/a`, isNotFound);
      await api.get(`${configMaps(api)}/b`);
    },
    'immediately completes a foreground deletion without dependents': async (api) => {
      await make(api, 'owner');
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, meta);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${configMaps(api)}/owner`);
    },
    'completes a foreground deletion when a dependent no longer blocks it': async (api) => {
      const owner = await make(api, 'owner');
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await make(api, 'child', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.patch(`${configMaps(api)}/child`, { metadata: { ownerReferences: [] } }, meta);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
    },
    'a foreground deletion removes the reference to the owner from a dependent with another owner': async (api) => {
      const waiting = await make(api, 'waiting');
      const staying = await make(api, 'staying');
      const blocking = { blockOwnerDeletion: true };
      await make(api, 'child', { owners: [reference(waiting, blocking), reference(staying, blocking)] });
      await api.delete(`${configMaps(api)}/waiting`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/waiting`, isNotFound);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'deletes objects that own each other': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b', { owners: [reference(a, { blockOwnerDeletion: true })] });
      const owners = [reference(b, { blockOwnerDeletion: true })];
      await api.patch(`${configMaps(api)}/a`, { metadata: { ownerReferences: owners } }, quiet);
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/a`, isNotFound);
      await api.until(`${configMaps(api)}/b`, isNotFound);
      await api.get(`${configMaps(api)}/b`);
    },
    'keeps the dependents of an orphaning deletion, and removes their owner references': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner, { blockOwnerDeletion: true })] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Orphan' }, meta);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'keeps the owner references to other owners in an orphaning deletion': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      await make(api, 'child', { owners: [reference(a), reference(b)] });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Orphan' }, quiet);
      await api.until(`${configMaps(api)}/a`, isNotFound);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'keeps the dependents of a deletion with the deprecated option orphanDependents': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`, { orphanDependents: true }, meta);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'accepts propagationPolicy as a query parameter': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner?propagationPolicy=Orphan`, undefined, meta);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'applies the finalizer orphan of an object if the request has no policy': async (api) => {
      const owner = await make(api, 'owner', { finalizers: ['orphan'] });
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`, undefined, meta);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'applies the finalizer foregroundDeletion of an object if the request has no policy': async (api) => {
      const owner = await make(api, 'owner', { finalizers: ['foregroundDeletion'] });
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await make(api, 'child', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, undefined, meta);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/owner`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
    },
    'prefers the policy of the request to the finalizer of the object': async (api) => {
      const owner = await make(api, 'owner', { finalizers: ['orphan'] });
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Background' }, meta);
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await api.get(`${configMaps(api)}/owner`);
    },
    'marks a dependent with a finalizer for deletion': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)], finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, meta);
      await api.get(`${configMaps(api)}/child`);
    },
    'deletes an object whose owner reference was added after its creation': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child');
      await api.patch(`${configMaps(api)}/child`, { metadata: { ownerReferences: [reference(owner)] } }, meta);
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, isNotFound);
      await api.get(`${configMaps(api)}/child`);
    },
    'deletes a dependent of another kind': async (api) => {
      const owner = await make(api, 'owner');
      await api.post(secrets(api), { metadata: { name: 'child', ownerReferences: [reference(owner)] } }, quiet);
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await api.until(`${secrets(api)}/child`, isNotFound);
      await api.get(`${secrets(api)}/child`);
    },
    'deletes the dependents of a collection in a foreground deletion': async (api) => {
      const owner = await make(api, 'owner');
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await api.post(secrets(api), { metadata: { name: 'child', ownerReferences: owners } }, quiet);
      const collection = `${configMaps(api)}?fieldSelector=metadata.name=owner`;
      await api.delete(collection, { propagationPolicy: 'Foreground' }, names);
      await api.until(`${configMaps(api)}/owner`, isNotFound);
      await api.get(`${secrets(api)}/child`);
    },
    'rejects two controlling owners': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      const owners = [reference(a, { controller: true }), reference(b, { controller: true })];
      await api.post(configMaps(api), { metadata: { name: 'child', ownerReferences: owners } });
    },
    'rejects an incomplete owner reference': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'child', ownerReferences: [{ apiVersion: 'v1' }] } });
      await api.post(configMaps(api), {
        metadata: { name: 'child', ownerReferences: [{ apiVersion: 'a/b/c', kind: 'K', name: 'n', uid: 'u' }] },
      });
    },
    'rejects an Event as an owner': async (api) => {
      const reference = { apiVersion: 'v1', kind: 'Event', name: 'n', uid: 'u' };
      await api.post(configMaps(api), { metadata: { name: 'child', ownerReferences: [reference] } });
    },
    'rejects a create while an object with this name is being deleted': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/configmaps`;
      const made = { metadata: { name: 'c', finalizers: ['example.com/a'] } };
      await api.post(path, made, { quiet: true });
      await api.post(path, made);
      await api.delete(`${path}/c`, undefined, { quiet: true });
      await api.post(path, made);
      await api.post(`${path}?dryRun=All`, made);
      await api.patch(`${path}/c`, { metadata: { finalizers: null } }, { quiet: true });
      await api.post(path, { metadata: { name: 'c' } }, { only: ['metadata.name'] });
    },
  },
);
