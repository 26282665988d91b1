import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareEvents, eventOf } from './workload-steps.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const secrets = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/secrets`;
const quiet = { quiet: true };
const gone = ({ status }: { status: number }): boolean => status === 404;
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
  await api.until(`${configMaps(api)}/last`, gone);
}

const release = { metadata: { finalizers: null } };

contract(
  'garbage-collection',
  {},
  {
    'what an owner owned goes after it': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`);
      await api.until(`${configMaps(api)}/child`, gone);
      await api.get(`${configMaps(api)}/child`);
    },
    'three generations go one after the other': async (api) => {
      const owner = await make(api, 'a');
      const child = await make(api, 'b', { owners: [reference(owner)] });
      await make(api, 'c', { owners: [reference(child)] });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Background' });
      await api.until(`${configMaps(api)}/c`, gone);
      await api.get(`${configMaps(api)}?labelSelector=!x`, { only: ['items.*.metadata.name'] });
    },
    'an object with one owner left stays, without the reference to the other': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      await make(api, 'child', { owners: [reference(a), reference(b)] });
      await api.delete(`${configMaps(api)}/a`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.ownerReferences.length === 1);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'an object goes when the last of its owners is gone': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      await make(api, 'child', { owners: [reference(a), reference(b)] });
      await api.delete(`${configMaps(api)}/a`, undefined, quiet);
      await api.delete(`${configMaps(api)}/b`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, gone);
      await api.get(`${configMaps(api)}/child`);
    },
    'an owner of the same name with another uid is not the owner': async (api) => {
      const owner = await make(api, 'owner');
      const uid = '11111111-2222-3333-4444-555555555555';
      await make(api, 'child', { owners: [{ ...reference(owner), uid }] });
      await api.until(`${configMaps(api)}/child`, gone);
      await api.get(`${configMaps(api)}/owner`, meta);
    },
    'an owner that never was is taken for gone': async (api) => {
      const uid = '11111111-2222-3333-4444-555555555555';
      await make(api, 'child', { owners: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid }] });
      await api.until(`${configMaps(api)}/child`, gone);
      await api.get(`${configMaps(api)}/child`);
    },
    'an owner of a kind that is not served keeps its objects': async (api) => {
      const uid = '11111111-2222-3333-4444-555555555555';
      await make(api, 'child', { owners: [{ apiVersion: 'nowhere.example.com/v1', kind: 'Nothing', name: 'x', uid }] });
      await afterCollection(api);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'an owner in a version that is not served keeps its objects': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [{ ...reference(owner), apiVersion: 'v9' }] });
      await afterCollection(api);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'an owner in another namespace does not count, and an Event says so': async (api) => {
      const other = api.name('elsewhere');
      await api.post('/api/v1/namespaces', { metadata: { name: other } }, quiet);
      const { body } = await api.post(`/api/v1/namespaces/${other}/configmaps`, { metadata: { name: 'owner' } }, quiet);
      await make(api, 'child', { owners: [reference({ ...body, kind: 'ConfigMap', apiVersion: 'v1' })] });
      await api.until(`${configMaps(api)}/child`, gone);
      await eventOf(api, 'child', 'OwnerRefInvalidNamespace');
      await compareEvents(api, 'ConfigMap', 'child');
    },
    'a cluster-scoped owner keeps objects of a namespace, until it goes': async (api) => {
      const name = api.name('role');
      const { body } = await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name } }, quiet);
      const owner = { ...body, kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1' };
      await make(api, 'child', { owners: [reference(owner)] });
      await afterCollection(api);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.delete(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, gone);
      await api.get(`${configMaps(api)}/child`);
    },
    'a cluster-scoped object stays whatever becomes of a namespaced owner': async (api) => {
      const owner = await make(api, 'owner');
      const name = api.name('role');
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
      await api.post(roles, { metadata: { name, ownerReferences: [reference(owner)] } }, quiet);
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await afterCollection(api);
      await api.get(`${roles}/${name}`, meta);
    },
    'a deletion in the foreground waits for what blocks it': async (api) => {
      const owner = await make(api, 'owner');
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await make(api, 'child', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, meta);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/owner`, meta);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${configMaps(api)}/child`);
    },
    'a deletion in the foreground does not wait for what does not block it': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)], finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, meta);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
    },
    'a deletion in the foreground goes through all generations': async (api) => {
      const owner = await make(api, 'a');
      const child = await make(api, 'b', { owners: [reference(owner, { blockOwnerDeletion: true })] });
      const owners = [reference(child, { blockOwnerDeletion: true })];
      await make(api, 'c', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/c`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(configMaps(api) + '?fieldSelector=metadata.name!=kube-root-ca.crt', names);
      await api.patch(`${configMaps(api)}/c`, release, quiet);
      await api.until(`${configMaps(api)}/a`, gone);
      await api.get(`${configMaps(api)}/b`);
    },
    'a deletion in the foreground of what owns nothing is done at once': async (api) => {
      await make(api, 'owner');
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, meta);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${configMaps(api)}/owner`);
    },
    'what blocks no more lets the owner go': async (api) => {
      const owner = await make(api, 'owner');
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await make(api, 'child', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.patch(`${configMaps(api)}/child`, { metadata: { ownerReferences: [] } }, meta);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
    },
    'an object with an owner that waits and one that stays loses the one that waits': async (api) => {
      const waiting = await make(api, 'waiting');
      const staying = await make(api, 'staying');
      const blocking = { blockOwnerDeletion: true };
      await make(api, 'child', { owners: [reference(waiting, blocking), reference(staying, blocking)] });
      await api.delete(`${configMaps(api)}/waiting`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/waiting`, gone);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'owners in a circle go, though each waits for the other': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b', { owners: [reference(a, { blockOwnerDeletion: true })] });
      const owners = [reference(b, { blockOwnerDeletion: true })];
      await api.patch(`${configMaps(api)}/a`, { metadata: { ownerReferences: owners } }, quiet);
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Foreground' }, quiet);
      await api.until(`${configMaps(api)}/a`, gone);
      await api.until(`${configMaps(api)}/b`, gone);
      await api.get(`${configMaps(api)}/b`);
    },
    'an orphaning deletion keeps what was owned, without the reference': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner, { blockOwnerDeletion: true })] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Orphan' }, meta);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'an orphaning deletion leaves the other owners of an object': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      await make(api, 'child', { owners: [reference(a), reference(b)] });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Orphan' }, quiet);
      await api.until(`${configMaps(api)}/a`, gone);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'orphanDependents says the same in the old way': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`, { orphanDependents: true }, meta);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'the policy may be named in the query': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner?propagationPolicy=Orphan`, undefined, meta);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'the finalizer orphan in the object decides when the request says nothing': async (api) => {
      const owner = await make(api, 'owner', { finalizers: ['orphan'] });
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`, undefined, meta);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${configMaps(api)}/child`, meta);
    },
    'the finalizer foregroundDeletion in the object decides when the request says nothing': async (api) => {
      const owner = await make(api, 'owner', { finalizers: ['foregroundDeletion'] });
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await make(api, 'child', { owners, finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, undefined, meta);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/owner`, meta);
      await api.patch(`${configMaps(api)}/child`, release, quiet);
      await api.until(`${configMaps(api)}/owner`, gone);
    },
    'what the request says goes before the finalizer in the object': async (api) => {
      const owner = await make(api, 'owner', { finalizers: ['orphan'] });
      await make(api, 'child', { owners: [reference(owner)] });
      await api.delete(`${configMaps(api)}/owner`, { propagationPolicy: 'Background' }, meta);
      await api.until(`${configMaps(api)}/child`, gone);
      await api.get(`${configMaps(api)}/owner`);
    },
    'an object with a finalizer of its own is marked and stays': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child', { owners: [reference(owner)], finalizers: ['example.com/wait'] });
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(`${configMaps(api)}/child`, meta);
      await api.patch(`${configMaps(api)}/child`, release, meta);
      await api.get(`${configMaps(api)}/child`);
    },
    'an owner that is given later owns from then on': async (api) => {
      const owner = await make(api, 'owner');
      await make(api, 'child');
      await api.patch(`${configMaps(api)}/child`, { metadata: { ownerReferences: [reference(owner)] } }, meta);
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await api.until(`${configMaps(api)}/child`, gone);
      await api.get(`${configMaps(api)}/child`);
    },
    'an object of another kind may be owned': async (api) => {
      const owner = await make(api, 'owner');
      await api.post(secrets(api), { metadata: { name: 'child', ownerReferences: [reference(owner)] } }, quiet);
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await api.until(`${secrets(api)}/child`, gone);
      await api.get(`${secrets(api)}/child`);
    },
    'deleting a collection in the foreground takes along what its objects own': async (api) => {
      const owner = await make(api, 'owner');
      const owners = [reference(owner, { blockOwnerDeletion: true })];
      await api.post(secrets(api), { metadata: { name: 'child', ownerReferences: owners } }, quiet);
      const collection = `${configMaps(api)}?fieldSelector=metadata.name=owner`;
      await api.delete(collection, { propagationPolicy: 'Foreground' }, names);
      await api.until(`${configMaps(api)}/owner`, gone);
      await api.get(`${secrets(api)}/child`);
    },
    'two owners that control are refused': async (api) => {
      const a = await make(api, 'a');
      const b = await make(api, 'b');
      const owners = [reference(a, { controller: true }), reference(b, { controller: true })];
      await api.post(configMaps(api), { metadata: { name: 'child', ownerReferences: owners } });
    },
    'a reference without what names its owner is refused': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'child', ownerReferences: [{ apiVersion: 'v1' }] } });
      await api.post(configMaps(api), {
        metadata: { name: 'child', ownerReferences: [{ apiVersion: 'a/b/c', kind: 'K', name: 'n', uid: 'u' }] },
      });
    },
    'an Event owns nothing': async (api) => {
      const reference = { apiVersion: 'v1', kind: 'Event', name: 'n', uid: 'u' };
      await api.post(configMaps(api), { metadata: { name: 'child', ownerReferences: [reference] } });
    },
    'what is being deleted is in the way of a new one': async (api) => {
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
