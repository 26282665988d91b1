import { contract } from './contract.js';
import type { ContractAnswer, ContractApi } from './contract-api.js';
import type { Json } from './json.js';
import { paths, reasonOf } from './workload-steps.js';

const quiet = { quiet: true };
const containers = [{ name: 'c', image: 'i' }];
/** Keeps a deleted Pod, so that the case can compare its status. */
const finalizers = ['example.com/wait'];
const ready = { type: 'Ready', status: 'True', reason: 'Test', message: 'is ready' };
const outOfService = { key: 'node.kubernetes.io/out-of-service', value: 'shutdown', effect: 'NoSchedule' };
const failed = {
  only: ['metadata.deletionGracePeriodSeconds', 'status.phase', 'status.conditions', 'status.observedGeneration'],
};

const nodeOf = (api: ContractApi): string => `/api/v1/nodes/${api.name('node')}`;
const taintsOf = ({ body }: ContractAnswer): readonly Json[] => body.spec.taints ?? [];
const hasFailed = ({ body }: ContractAnswer): boolean => body.status.phase === 'Failed';

/** Creates a node, and a Pod named held on the node with a finalizer. Returns the path of the Pod. */
async function podOnNode(api: ContractApi, path: string, status: object = {}): Promise<string> {
  const name = path.split('/').at(-1);
  await api.post('/api/v1/nodes', { metadata: { name }, status }, quiet);
  const metadata = { name: 'held', finalizers };
  await api.post(paths.core(api, 'pods'), { metadata, spec: { nodeName: name, containers } }, quiet);
  return `${paths.core(api, 'pods')}/held`;
}

/** Removes the finalizer of a deleted Pod. */
const release = (api: ContractApi, pod: string): Promise<unknown> =>
  api.patch(pod, { metadata: { finalizers: null } }, quiet);

contract(
  'nodes',
  { workloads: true, passesTime: true },
  {
    'deletes the Pods of a deleted node': async (api) => {
      const node = nodeOf(api);
      const pod = await podOnNode(api, node);
      await api.delete(node, undefined, quiet);
      await api.pass(40_000);
      await api.until(pod, hasFailed);
      await api.until(pod, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(pod, failed);
      await release(api, pod);
    },
    'fails a Pod that is deleted before it has a node': async (api) => {
      const pod = `${paths.core(api, 'pods')}/held`;
      const spec = { nodeSelector: { no: 'node' }, containers };
      await api.post(paths.core(api, 'pods'), { metadata: { name: 'held', finalizers }, spec }, quiet);
      await api.until(pod, ({ body }) => reasonOf(body, 'PodScheduled', 'False') !== undefined);
      await api.delete(pod, undefined, quiet);
      await api.until(pod, hasFailed);
      await api.get(pod, {
        only: ['metadata.deletionGracePeriodSeconds', 'status.phase', 'status.observedGeneration'],
      });
      await release(api, pod);
    },
    'deletes the terminating Pods of a node that is out of service': async (api) => {
      const node = nodeOf(api);
      const pod = await podOnNode(api, node, { conditions: [{ ...ready, status: 'False' }] });
      const taint = { spec: { taints: [outOfService] } };
      await api.patch(node, taint, quiet);
      await api.get(pod, { only: ['status.phase', 'metadata.deletionTimestamp'] });
      await api.delete(pod, undefined, quiet);
      await api.until(pod, hasFailed);
      await api.until(pod, ({ body }) => body.metadata.deletionGracePeriodSeconds === 0);
      await api.get(pod, failed);
      await release(api, pod);
    },
    'adds the taint not-ready to a new node': async (api) => {
      const taints = [{ key: 'mine', effect: 'NoSchedule' }];
      await api.post('/api/v1/nodes', { metadata: { name: api.name('node') }, spec: { taints } }, { only: ['spec'] });
    },
    'taints a node by its conditions': async (api) => {
      const node = nodeOf(api);
      const types = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];
      const pressures = types.map((type) => ({ ...ready, type }));
      const metadata = { name: node.split('/').at(-1) };
      const body = { metadata, spec: { unschedulable: true }, status: { conditions: [ready, ...pressures] } };
      await api.post('/api/v1/nodes', body, quiet);
      await api.until(node, (answer) => taintsOf(answer).length === 5);
      await api.get(node, { only: ['spec'] });
      await api.patch(node, { spec: { unschedulable: null } }, quiet);
      await api.until(node, (answer) => taintsOf(answer).length === 4);
      await api.get(node, { only: ['spec'] });
      await api.patch(`${node}/status`, { status: { conditions: [ready] } }, quiet);
      await api.until(node, (answer) => taintsOf(answer).length === 0);
      await api.get(node, { only: ['spec'] });
    },
    'taints a node that is not ready or unreachable': async (api) => {
      const node = nodeOf(api);
      await api.post('/api/v1/nodes', { metadata: { name: node.split('/').at(-1) } }, quiet);
      for (const [status, taint] of [
        ['False', 'node.kubernetes.io/not-ready'],
        ['Unknown', 'node.kubernetes.io/unreachable'],
      ]) {
        await api.patch(`${node}/status`, { status: { conditions: [{ ...ready, status }] } }, quiet);
        await api.until(node, (answer) => {
          const keys = taintsOf(answer).filter(({ effect }) => effect === 'NoSchedule');
          return keys.length === 1 && keys[0].key === taint;
        });
      }
    },
    'copies the labels of a node to the beta labels': async (api) => {
      const node = nodeOf(api);
      const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64', 'beta.kubernetes.io/arch': 'amd64' };
      await api.post('/api/v1/nodes', { metadata: { name: node.split('/').at(-1), labels } }, quiet);
      await api.until(node, ({ body }) => {
        const { 'beta.kubernetes.io/arch': arch, 'beta.kubernetes.io/os': system } = body.metadata.labels;
        return arch === 'arm64' && system === 'linux';
      });
      await api.get(node, { only: ['metadata.labels'] });
    },
  },
);
