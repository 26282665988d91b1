import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { pod } from './pod-bodies.js';

const ready = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
};

/** Creates a Pod with the given status and without a node. */
async function running(api: ContractApi, name: string, status: object = ready): Promise<string> {
  const pods = `/api/v1/namespaces/${api.namespace}/pods`;
  await api.post(pods, pod(name, {}, { labels: { app: 'a' } }), { quiet: true });
  await api.patch(`${pods}/${name}/status`, { status }, { quiet: true });
  return `${pods}/${name}`;
}

/** Creates a PodDisruptionBudget, and sets the status that the case needs. */
async function budget(api: ContractApi, name: string, status: object, spec: object = {}): Promise<string> {
  const budgets = `/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets`;
  const body = { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } }, ...spec } };
  await api.post(budgets, body, { quiet: true });
  await api.patch(`${budgets}/${name}/status`, { status }, { quiet: true });
  return `${budgets}/${name}`;
}

const eviction = (name: string, deleteOptions?: object): object => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...(deleteOptions === undefined ? {} : { deleteOptions }),
});

contract(
  'eviction',
  { workloads: true },
  {
    'evicts a Pod without a PodDisruptionBudget': async (api) => {
      const path = await running(api, 'a');
      await api.post(`${path}/eviction`, eviction('a'));
      await api.get(path);
    },
    'does not evict a Pod in a dry run': async (api) => {
      const path = await running(api, 'a');
      await api.post(`${path}/eviction?dryRun=All`, eviction('a'));
      await api.post(`${path}/eviction`, eviction('a', { dryRun: ['All'] }));
      await api.get(path, { only: ['metadata.name', 'status.phase'] });
    },
    'rejects an Eviction whose name differs from the name of the Pod': async (api) => {
      const path = await running(api, 'a');
      await api.post(`${path}/eviction`, eviction('b'));
      await api.post(`/api/v1/namespaces/${api.namespace}/pods/b/eviction`, eviction('b'));
    },
    'rejects a body that is not an Eviction': async (api) => {
      const path = await running(api, 'a');
      await api.post(`${path}/eviction`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
      await api.post(`${path}/eviction`, { ...eviction('a'), deleteOptions: { gracePeriodSeconds: 'x' } });
      await api.get(`${path}/eviction`);
    },
    'enforces the uid and resourceVersion preconditions of an eviction': async (api) => {
      const path = await running(api, 'a');
      await api.post(`${path}/eviction`, eviction('a', { preconditions: { uid: 'other' } }));
      await api.post(`${path}/eviction`, eviction('a', { preconditions: { resourceVersion: '1' } }), {
        only: ['reason', 'code', 'status'],
      });
    },
    'rejects an eviction that violates a PodDisruptionBudget': async (api) => {
      const path = await running(api, 'a');
      await budget(api, 'b', {});
      await api.until(`/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets/b`, ({ body }) => {
        const { status = {} } = body as { status?: { observedGeneration?: number } };
        return status.observedGeneration === 1;
      });
      await api.post(`${path}/eviction`, eviction('a'));
      await api.get(path, { only: ['metadata.name', 'status.phase'] });
    },
    'rejects an eviction of a Pod with two PodDisruptionBudgets': async (api) => {
      const path = await running(api, 'a');
      await budget(api, 'b', {});
      await budget(api, 'c', {});
      await api.post(`${path}/eviction`, eviction('a'));
    },
    'evicts a pending Pod regardless of its PodDisruptionBudget': async (api) => {
      const path = await running(api, 'a', {});
      await budget(api, 'b', {});
      await api.post(`${path}/eviction`, eviction('a'));
    },
    'evicts a terminated Pod regardless of its PodDisruptionBudget': async (api) => {
      const path = await running(api, 'a', { phase: 'Succeeded' });
      await budget(api, 'b', {});
      await api.post(`${path}/eviction`, eviction('a'));
    },
    'evicts an unready Pod with the unhealthyPodEvictionPolicy AlwaysAllow': async (api) => {
      const path = await running(api, 'a', { phase: 'Running' });
      await budget(api, 'b', {}, { unhealthyPodEvictionPolicy: 'AlwaysAllow' });
      await api.post(`${path}/eviction`, eviction('a'));
    },
    'evicts a Pod on a node after its grace period': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a', { nodeName: 'no-such-node' }), { quiet: true });
      await api.post(`${pods}/a/eviction`, eviction('a', { gracePeriodSeconds: 100 }));
      await api.get(`${pods}/a`, { only: ['metadata.deletionGracePeriodSeconds', 'status.conditions'] });
      await api.delete(`${pods}/a`, { gracePeriodSeconds: 0 }, { quiet: true });
    },
    'binds a Pod to a node once': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a'), { quiet: true });
      const binding = (name: string, target: object): object => ({
        metadata: { name, annotations: { x: 'y' } },
        target,
      });
      await api.post(`${pods}/a/binding`, binding('b', { kind: 'Node', name: 'n' }));
      await api.post(`${pods}/a/binding`, binding('a', { kind: 'Pod' }));
      await api.post(`${pods}/b/binding`, binding('b', { kind: 'Node', name: 'n' }));
      await api.post(`${pods}/a/binding`, binding('a', { kind: 'Node', name: 'no-such-node' }));
      await api.get(`${pods}/a`, { only: ['spec.nodeName', 'metadata.annotations', 'status', 'metadata.generation'] });
      await api.post(`${pods}/a/binding`, binding('a', { kind: 'Node', name: 'm' }));
      await api.delete(`${pods}/a`, { gracePeriodSeconds: 0 }, { quiet: true });
    },
    'rejects a binding of a Pod with scheduling gates': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a', { schedulingGates: [{ name: 'x/y' }] }), { quiet: true });
      await api.post(`${pods}/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } });
    },
    'rejects contradictory and invalid options of an eviction': async (api) => {
      const path = await running(api, 'a');
      await api.post(`${path}/eviction?dryRun=All`, eviction('a', { dryRun: ['All', 'All'] }));
      await api.post(`${path}/eviction`, eviction('a', { dryRun: ['x'] }));
      await api.post(`${path}/eviction`, eviction('a', { ignoreStoreReadErrorWithClusterBreakingPotential: true }));
    },
    'accepts an Eviction of policy/v1beta1': async (api) => {
      const path = await running(api, 'a');
      await api.post(`${path}/eviction`, { ...eviction('a'), apiVersion: 'policy/v1beta1' });
    },
    'rejects an eviction while a PodDisruptionBudget without bounds permits no disruptions': async (api) => {
      const path = await running(api, 'a');
      const budgets = `/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets`;
      const spec = { selector: { matchLabels: { app: 'a' } } };
      await api.post(budgets, { metadata: { name: 'b' }, spec }, { quiet: true });
      await api.until(`${budgets}/b`, ({ body }) => body.status?.observedGeneration === 1);
      await api.post(`${path}/eviction`, eviction('a'));
    },
    'validates the conditions of a PodDisruptionBudget': async (api) => {
      const path = await budget(api, 'b', {});
      const conditions = [{ type: 'x' }, { type: 'x', status: 'True', reason: '1' }];
      await api.patch(`${path}/status`, { status: { conditions } });
    },
    'accepts a Binding at the collection of bindings': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      await api.post(`${namespace}/pods`, pod('a'), { quiet: true });
      await api.post(`${namespace}/bindings`, { metadata: { name: 'a' }, target: { kind: 'Pod', name: 'n' } });
      await api.post(`${namespace}/bindings`, { metadata: { name: 'b' }, target: { kind: 'Node', name: 'n' } });
      await api.post(`${namespace}/bindings`, { metadata: { name: 'a' }, target: { kind: 'Node', name: 'none' } });
      await api.get(`${namespace}/pods/a`, { only: ['spec.nodeName'] });
      await api.delete(`${namespace}/pods/a`, { gracePeriodSeconds: 0 }, { quiet: true });
    },
    'enforces the uid and resourceVersion preconditions of a binding': async (api) => {
      const pods = `/api/v1/namespaces/${api.namespace}/pods`;
      await api.post(pods, pod('a'), { quiet: true });
      const target = { kind: 'Node', name: 'none' };
      await api.post(`${pods}/a/binding`, { metadata: { name: 'a', uid: 'other' }, target });
      await api.post(
        `${pods}/a/binding`,
        { metadata: { name: 'a', resourceVersion: '1' }, target },
        {
          only: ['reason', 'details'],
        },
      );
    },
  },
);
