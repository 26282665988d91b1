import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { reasonOf } from './workload-steps.js';

const quiet = { quiet: true };
const isNotFound = ({ status }: { status: number }): boolean => status === 404;
const state = {
  only: ['metadata.labels', 'metadata.finalizers', 'metadata.deletionGracePeriodSeconds', 'spec', 'status'],
};
const release = { metadata: { finalizers: null } };

const namespacePath = (name: string): string => `/api/v1/namespaces/${name}`;
const configMaps = (name: string): string => `${namespacePath(name)}/configmaps`;

/** Creates a namespace with an object whose finalizer blocks the deletion of the namespace. */
async function held(api: ContractApi, finalizer = 'example.com/wait'): Promise<string> {
  const name = api.name('held');
  await api.post('/api/v1/namespaces', { metadata: { name } }, quiet);
  await api.until(`${namespacePath(name)}/serviceaccounts/default`, ({ status }) => status === 200);
  await api.post(configMaps(name), { metadata: { name: 'a', finalizers: [finalizer] } }, quiet);
  return name;
}

/** Deletes the namespace and waits until its conditions list the remaining content. */
async function ending(api: ContractApi, name: string): Promise<void> {
  await api.delete(namespacePath(name), undefined, quiet);
  await api.until(namespacePath(name), ({ body }) => reasonOf(body, 'NamespaceContentRemaining') !== undefined);
}

async function deleteAndWait(api: ContractApi, name: string, objects: readonly string[]): Promise<void> {
  for (const object of objects) await api.patch(`${namespacePath(name)}/${object}`, release, quiet);
  await api.until(namespacePath(name), isNotFound);
}

contract(
  'namespaces',
  {},
  {
    'creates an active namespace with a label and a finalizer': async (api) => {
      const name = api.name('fresh');
      await api.post('/api/v1/namespaces', { metadata: { name } });
      await api.delete(namespacePath(name), undefined, { only: ['metadata.name', 'status.phase', 'spec'] });
    },
    'deletes an empty namespace': async (api) => {
      const name = api.name('empty');
      await api.post('/api/v1/namespaces', { metadata: { name } }, quiet);
      await api.delete(namespacePath(name), undefined, quiet);
      await api.until(namespacePath(name), isNotFound);
      await api.get(namespacePath(name));
    },
    'creates the default service account in every namespace, and recreates it': async (api) => {
      const account = `${namespacePath(api.namespace)}/serviceaccounts/default`;
      const { body } = await api.get(account, { only: ['metadata.name', 'secrets'] });
      await api.delete(account, undefined, quiet);
      await api.until(account, (answer) => answer.status === 200 && answer.body.metadata.uid !== body.metadata.uid);
      await api.get(account, { only: ['metadata.name', 'secrets'] });
    },
    'creates the root certificate in every namespace, and recreates it': async (api) => {
      const map = `${configMaps(api.namespace)}/kube-root-ca.crt`;
      await api.until(map, ({ status }) => status === 200);
      await api.get(map, { only: ['metadata.name', 'metadata.annotations'] });
      await api.delete(map, undefined, quiet);
      await api.until(map, ({ status }) => status === 200);
      await api.get(map, { only: ['metadata.name', 'metadata.annotations'] });
    },
    'reports remaining content in the conditions of a namespace': async (api) => {
      const name = await held(api);
      await ending(api, name);
      await api.get(namespacePath(name), state);
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'counts remaining objects by kind and by finalizer': async (api) => {
      const name = await held(api);
      const finalizers = ['example.com/other', 'example.com/wait'];
      await api.post(configMaps(name), { metadata: { name: 'b', finalizers } }, quiet);
      await api.post(`${namespacePath(name)}/secrets`, { metadata: { name: 's', finalizers } }, quiet);
      const leases = `/apis/coordination.k8s.io/v1/namespaces/${name}/leases`;
      await api.post(leases, { metadata: { name: 'l', finalizers } }, quiet);
      await ending(api, name);
      await api.until(namespacePath(name), ({ body }) =>
        /leases.*secrets/.test(
          body.status.conditions.map((condition: { message: string }) => condition.message).join(),
        ),
      );
      await api.get(namespacePath(name), { only: ['status'] });
      await api.patch(`${leases}/l`, release, quiet);
      await deleteAndWait(api, name, ['configmaps/a', 'configmaps/b', 'secrets/s']);
    },
    'deletes objects without finalizers from a terminating namespace': async (api) => {
      const name = await held(api);
      await api.post(configMaps(name), { metadata: { name: 'b' } }, quiet);
      await ending(api, name);
      await api.get(configMaps(name), { only: ['items.*.metadata.name', 'items.*.metadata.finalizers'] });
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'rejects new objects in a terminating namespace': async (api) => {
      const name = await held(api);
      await ending(api, name);
      await api.post(configMaps(name), { metadata: { name: 'b' } });
      await api.post(configMaps(name), { metadata: { generateName: 'b-' } });
      await api.post(`/apis/apps/v1/namespaces/${name}/deployments?dryRun=All`, {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      });
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'accepts changes of objects in a terminating namespace': async (api) => {
      const name = await held(api);
      await ending(api, name);
      await api.patch(`${configMaps(name)}/a`, { data: { k: 'v' } }, { only: ['data', 'metadata.finalizers'] });
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'accepts a label for a terminating namespace': async (api) => {
      const name = await held(api);
      await ending(api, name);
      await api.patch(namespacePath(name), { metadata: { labels: { a: 'b' } } }, state);
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'does not change a terminating namespace in a second deletion': async (api) => {
      const name = await held(api);
      await ending(api, name);
      await api.delete(namespacePath(name), undefined, state);
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'returns 404 for a create in an absent namespace': async (api) => {
      const name = api.name('missing');
      await api.post(configMaps(name), { metadata: { name: 'a' } });
      await api.get(configMaps(name), { only: ['items', 'kind'] });
      await api.get(`${configMaps(name)}/a`);
    },
    'keeps an emptied namespace with a metadata finalizer': async (api) => {
      const name = api.name('own');
      await api.post('/api/v1/namespaces', { metadata: { name, finalizers: ['example.com/wait'] } }, quiet);
      await api.post(configMaps(name), { metadata: { name: 'a' } }, quiet);
      await api.delete(namespacePath(name), undefined, quiet);
      await api.until(namespacePath(name), ({ body }) => body.spec.finalizers === undefined);
      await api.get(namespacePath(name), state);
      await api.get(configMaps(name), { only: ['items'] });
      await api.patch(namespacePath(name), release, quiet);
      await api.until(namespacePath(name), isNotFound);
    },
    'changes spec.finalizers only through the finalize subresource': async (api) => {
      const name = api.name('final');
      await api.post('/api/v1/namespaces', { metadata: { name } }, quiet);
      const body = { metadata: { name } };
      const spec = { finalizers: ['kubernetes', 'example.com/more'] };
      await api.put(namespacePath(name), { ...body, spec }, { only: ['spec'] });
      await api.put(`${namespacePath(name)}/finalize`, { ...body, spec }, { only: ['spec', 'message', 'reason'] });
      await api.delete(namespacePath(name), undefined, quiet);
      await api.until(namespacePath(name), (answer) => answer.body.spec.finalizers?.length === 1);
      const { body: live } = await api.get(namespacePath(name), state);
      await api.put(`${namespacePath(name)}/finalize`, { ...live, spec: {} }, { only: ['spec', 'status.phase'] });
      await api.until(namespacePath(name), isNotFound);
    },
    'ignores the propagation policy for the content of a namespace': async (api) => {
      const name = await held(api);
      const { body } = await api.post(configMaps(name), { metadata: { name: 'owner' } }, quiet);
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: body.metadata.uid };
      await api.post(
        `${namespacePath(name)}/secrets`,
        { metadata: { name: 'child', ownerReferences: [owner] } },
        quiet,
      );
      await api.delete(namespacePath(name), { propagationPolicy: 'Orphan' }, state);
      await api.until(
        namespacePath(name),
        ({ body: live }) => reasonOf(live, 'NamespaceContentRemaining') !== undefined,
      );
      await api.get(`${namespacePath(name)}/secrets`, { only: ['items'] });
      await api.get(namespacePath(name), state);
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'deletes custom objects with their namespace': async (api) => {
      const plural = 'things';
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await api.post(
        crds,
        {
          metadata: { name: `${plural}.${api.group}` },
          spec: {
            group: api.group,
            scope: 'Namespaced',
            names: { plural, kind: 'Thing' },
            versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
          },
        },
        quiet,
      );
      const name = api.name('custom');
      await api.post('/api/v1/namespaces', { metadata: { name } }, quiet);
      const things = `/apis/${api.group}/v1/namespaces/${name}/${plural}`;
      await api.until(things, ({ status }) => status === 200);
      const thing = {
        apiVersion: `${api.group}/v1`,
        kind: 'Thing',
        metadata: { name: 'a', finalizers: ['example.com/wait'] },
      };
      await api.post(things, thing, quiet);
      await api.delete(namespacePath(name), undefined, quiet);
      await api.until(namespacePath(name), ({ body }) => reasonOf(body, 'NamespaceContentRemaining') !== undefined);
      await api.get(namespacePath(name), { only: ['status'] });
      await api.patch(`${things}/a`, release, quiet);
      await api.until(namespacePath(name), isNotFound);
    },
    'rejects the deletion of the initial namespaces': async (api) => {
      for (const name of ['default', 'kube-system', 'kube-public']) await api.delete(namespacePath(name));
    },
    'keeps a namespace active in a dry run of its deletion': async (api) => {
      const name = api.name('dry');
      await api.post('/api/v1/namespaces', { metadata: { name } }, quiet);
      await api.delete(`${namespacePath(name)}?dryRun=All`, undefined, state);
      await api.get(namespacePath(name), state);
    },
    'rejects virtual resources in a terminating namespace': async (api) => {
      const name = await held(api);
      await ending(api, name);
      for (const namespace of [name, api.name('missing')]) {
        const path = namespacePath(namespace);
        await api.post(`${path}/serviceaccounts/default/token`, { spec: {} });
        await api.post(`${path}/pods/p/eviction`, { metadata: { name: 'p' } });
        await api.post(`${path}/pods/p/binding`, { metadata: { name: 'p' }, target: { name: 'n' } });
        await api.post(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`, {});
      }
      await deleteAndWait(api, name, ['configmaps/a']);
    },
    'keeps the phase of a namespace if a status update removes it': async (api) => {
      const name = api.name('phase');
      await api.post('/api/v1/namespaces', { metadata: { name } }, quiet);
      await api.patch(`${namespacePath(name)}/status`, { status: { phase: null } }, { only: ['status', 'message'] });
    },
    'returns 404 for an update of an absent PodTemplate': async (api) => {
      const templates = `${namespacePath(api.namespace)}/podtemplates`;
      await api.put(`${templates}/t`, { metadata: { name: 't' } });
    },
  },
);
