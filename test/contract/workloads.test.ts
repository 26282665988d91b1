import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import type { Json } from './json.js';
import {
  compareEvents,
  eventOf,
  isRolledOut,
  learnNames,
  paths,
  reasonOf,
  settled,
  whole,
  wholeItems,
} from './workload-steps.js';

const quiet = { quiet: true };
const shown = { only: whole };
const listed = { only: wholeItems };
const states = { only: ['items.*.status', 'items.*.metadata.labels', 'items.*.metadata.ownerReferences'] };
const isNotFound = ({ status }: { status: number }): boolean => status === 404;
const template = (spec: object = {}, metadata: object = {}): object => ({
  metadata: { labels: { app: 'web' }, ...metadata },
  spec: { containers: [{ name: 'c', image: 'nginx:1', ports: [{ name: 'http', containerPort: 80 }] }], ...spec },
});
const replicated = (spec: object = {}, metadata: object = {}): object => ({
  metadata: { name: 'web', ...metadata },
  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template(), ...spec },
});
const ending = (command: string, spec: object = {}): object => ({
  spec: {
    restartPolicy: 'Never',
    containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', command] }],
    ...spec,
  },
});
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }], ...spec },
});

const deployments = (api: ContractApi): string => paths.apps(api, 'deployments');
const replicaSets = (api: ContractApi): string => paths.apps(api, 'replicasets');
const statefulSets = (api: ContractApi): string => paths.apps(api, 'statefulsets');
const daemonSets = (api: ContractApi): string => paths.apps(api, 'daemonsets');
const revisions = (api: ContractApi): string => paths.apps(api, 'controllerrevisions');
const jobs = (api: ContractApi): string => paths.batch(api, 'jobs');
const pods = (api: ContractApi): string => paths.core(api, 'pods');
const services = (api: ContractApi): string => paths.core(api, 'services');
const claims = (api: ContractApi): string => paths.core(api, 'persistentvolumeclaims');
const slices = (api: ContractApi): string => `/apis/discovery.k8s.io/v1/namespaces/${api.namespace}/endpointslices`;
const volumes = '/api/v1/persistentvolumes';

/**
 * A Deployment that stays available with one Pod less. Without this strategy, the timing of Pods determines whether the condition Available
 * changes during a scale-up. A changed condition moves to the end of the list.
 */
const availableBelow = { strategy: { rollingUpdate: { maxUnavailable: 1 } } };
const withImage = (image: string): object => ({
  spec: { template: { spec: { containers: [{ name: 'c', image, ports: [{ name: 'http', containerPort: 80 }] }] } } },
});
const isFinished = (body: Json): boolean =>
  reasonOf(body, 'Complete') !== undefined || reasonOf(body, 'Failed') !== undefined;
const hasReady =
  (count: number) =>
  (body: Json): boolean =>
    (body.status.readyReplicas ?? 0) === count &&
    (body.status.replicas ?? 0) === count &&
    body.status.observedGeneration === body.metadata.generation;

/** Creates a Deployment and waits until it is available. */
async function rolledOut(api: ContractApi, spec: object = {}, metadata: object = {}): Promise<void> {
  await api.post(deployments(api), replicated(spec, metadata), quiet);
  await settled(api, `${deployments(api)}/web`, isRolledOut);
}

/** Creates a Job and waits until it has finished. */
async function finished(api: ContractApi, spec: object): Promise<void> {
  await api.post(jobs(api), { metadata: { name: 'job' }, spec }, quiet);
  await settled(api, `${jobs(api)}/job`, isFinished);
}

contract(
  'workloads',
  { workloads: true },
  {
    'a new Deployment becomes available': async (api) => {
      await rolledOut(api, {}, { annotations: { note: 'n' } });
      await api.get(`${deployments(api)}/web`, shown);
      await api.get(replicaSets(api), listed);
      await api.get(pods(api), states);
    },
    'a Deployment reports its actions in Events': async (api) => {
      await rolledOut(api);
      const { body } = await api.get(replicaSets(api), quiet);
      await compareEvents(api, 'Deployment', 'web');
      await compareEvents(api, 'ReplicaSet', body.items[0].metadata.name);
    },
    'a Deployment without replicas is complete': async (api) => {
      await rolledOut(api, { replicas: 0 });
      await api.get(`${deployments(api)}/web`, shown);
      await compareEvents(api, 'Deployment', 'web');
    },
    'a Deployment rolls out a new template one Pod at a time': async (api) => {
      await rolledOut(api, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
      await api.patch(`${deployments(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, shown);
      await compareSets(api);
      await compareEvents(api, 'Deployment', 'web');
    },
    'a Deployment with maxUnavailable deletes Pods before it creates new ones': async (api) => {
      await rolledOut(api, { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } });
      await api.patch(`${deployments(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, shown);
      await compareEvents(api, 'Deployment', 'web');
    },
    'a Deployment with the strategy Recreate deletes all Pods before it creates new ones': async (api) => {
      await rolledOut(api, { strategy: { type: 'Recreate' } });
      await api.patch(`${deployments(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, {
        only: ['metadata.annotations', 'status.replicas', 'status.updatedReplicas', 'status.availableReplicas'],
      });
      await compareEvents(api, 'Deployment', 'web');
    },
    'a rollback to an earlier template reuses the ReplicaSet of the template': async (api) => {
      await rolledOut(api);
      await api.patch(`${deployments(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.patch(`${deployments(api)}/web`, withImage('nginx:1'), quiet);
      await api.until(`${deployments(api)}/web`, ({ body }) => isRolledOut(body) && body.metadata.generation === 3);
      await api.get(`${deployments(api)}/web`, { only: ['metadata.annotations', 'status'] });
      await compareSets(api);
    },
    'rolls a Deployment back with the deprecated rollback annotation': async (api) => {
      await rolledOut(api);
      await api.patch(`${deployments(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      const annotations = { 'deprecated.deployment.rollback.to': '1' };
      await api.patch(`${deployments(api)}/web`, { metadata: { annotations } }, quiet);
      await eventOf(api, 'web', 'DeploymentRollback');
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, {
        only: ['metadata.annotations', 'spec.template.spec.containers', 'status'],
      });
      await api.patch(
        `${deployments(api)}/web`,
        { metadata: { annotations: { 'deprecated.deployment.rollback.to': '9' } } },
        quiet,
      );
      await eventOf(api, 'web', 'DeploymentRollbackRevisionNotFound');
      await compareEvents(api, 'Deployment', 'web');
    },
    'keeps old ReplicaSets up to the revisionHistoryLimit': async (api) => {
      await rolledOut(api, { revisionHistoryLimit: 1 });
      for (const image of ['nginx:2', 'nginx:3', 'nginx:4']) {
        const { body } = await api.patch(`${deployments(api)}/web`, withImage(image), quiet);
        await settled(
          api,
          `${deployments(api)}/web`,
          (live) => isRolledOut(live) && live.status.observedGeneration === body.metadata.generation,
        );
      }
      await api.until(replicaSets(api), ({ body }) => body.items.length === 2);
      await api.get(`${deployments(api)}/web`, { only: ['metadata.annotations', 'status'] });
    },
    'scales a Deployment up and down through its scale': async (api) => {
      await rolledOut(api, availableBelow);
      await api.patch(`${deployments(api)}/web/scale`, { spec: { replicas: 3 } }, { only: ['spec', 'status'] });
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, shown);
      await api.patch(`${deployments(api)}/web/scale`, { spec: { replicas: 1 } }, quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, shown);
      await compareEvents(api, 'Deployment', 'web');
    },
    'a paused Deployment does not roll out until the Deployment resumes': async (api) => {
      await rolledOut(api);
      await api.patch(`${deployments(api)}/web`, { spec: { paused: true } }, quiet);
      await api.until(
        `${deployments(api)}/web`,
        ({ body }) => reasonOf(body, 'Progressing', 'Unknown') === 'DeploymentPaused',
      );
      await api.patch(`${deployments(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${deployments(api)}/web`, ({ status }) => status.observedGeneration === 3);
      await api.get(`${deployments(api)}/web`, shown);
      await api.patch(`${deployments(api)}/web`, { spec: { paused: null } }, quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, shown);
    },
    'scales a paused Deployment': async (api) => {
      await rolledOut(api, availableBelow);
      await api.patch(`${deployments(api)}/web`, { spec: { paused: true, replicas: 3 } }, quiet);
      await settled(api, `${deployments(api)}/web`, ({ status }) => status.availableReplicas === 3);
      await api.get(`${deployments(api)}/web`, shown);
    },
    'a Deployment reports a rollout that exceeds progressDeadlineSeconds': async (api) => {
      const unschedulable = template({ nodeSelector: { no: 'where' } });
      await api.post(deployments(api), replicated({ progressDeadlineSeconds: 2, template: unschedulable }), quiet);
      // On a slow machine, Pods that are created after the deadline also count as progress.
      await settled(
        api,
        `${deployments(api)}/web`,
        (body) =>
          body.status.updatedReplicas === body.spec.replicas && reasonOf(body, 'Progressing', 'False') !== undefined,
      );
      await api.get(`${deployments(api)}/web`, shown);
    },
    'a Deployment and its ReplicaSet report that Pods cannot be created': async (api) => {
      const quota = { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } };
      await api.post(paths.core(api, 'resourcequotas'), quota, quiet);
      await api.until(`${paths.core(api, 'resourcequotas')}/none`, ({ body }) => body.status.hard?.pods === '0');
      await api.post(deployments(api), replicated({ replicas: 1 }), quiet);
      await settled(api, `${deployments(api)}/web`, (body) => reasonOf(body, 'ReplicaFailure') !== undefined);
      await api.get(`${deployments(api)}/web`, {
        only: ['status.conditions.*.type', 'status.conditions.*.status', 'status.conditions.*.reason'],
      });
    },
    'minReadySeconds delays the availability of Pods': async (api) => {
      await api.post(deployments(api), replicated({ minReadySeconds: 500, replicas: 1 }), quiet);
      await settled(
        api,
        `${deployments(api)}/web`,
        ({ status }) => status.readyReplicas === 1 && status.availableReplicas === undefined,
      );
      await api.get(`${deployments(api)}/web`, {
        only: ['status.readyReplicas', 'status.availableReplicas', 'status.unavailableReplicas'],
      });
      await api.patch(`${deployments(api)}/web`, { spec: { minReadySeconds: 1 } }, quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, shown);
    },
    'deleting a Deployment deletes its ReplicaSets and Pods': async (api) => {
      await rolledOut(api);
      await api.delete(
        `${deployments(api)}/web`,
        { propagationPolicy: 'Foreground' },
        { only: ['metadata.finalizers'] },
      );
      await api.until(`${deployments(api)}/web`, isNotFound);
      await api.get(replicaSets(api), { only: ['items'] });
      await api.until(pods(api), ({ body }) => body.items.length === 0);
    },
    'a Deployment adopts an orphaned ReplicaSet': async (api) => {
      await rolledOut(api);
      await api.delete(`${deployments(api)}/web`, { propagationPolicy: 'Orphan' }, quiet);
      await api.until(`${deployments(api)}/web`, isNotFound);
      await api.post(deployments(api), replicated(), quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      await api.get(`${deployments(api)}/web`, shown);
      await api.get(replicaSets(api), listed);
    },
    'a ReplicaSet creates missing Pods and reports them in Events': async (api) => {
      await api.post(replicaSets(api), replicated(), quiet);
      await settled(api, `${replicaSets(api)}/web`, hasReady(2));
      await api.get(`${replicaSets(api)}/web`, shown);
      await compareEvents(api, 'ReplicaSet', 'web');
    },
    'a ReplicaSet adopts matching Pods and releases other Pods': async (api) => {
      await api.post(pods(api), { ...pod('lone'), metadata: { name: 'lone', labels: { app: 'web' } } }, quiet);
      await api.post(replicaSets(api), replicated({ replicas: 1 }), quiet);
      await settled(api, `${replicaSets(api)}/web`, hasReady(1));
      await api.get(`${pods(api)}/lone`, { only: ['metadata.ownerReferences', 'metadata.labels'] });
      await api.patch(`${pods(api)}/lone`, { metadata: { labels: { app: 'other' } } }, quiet);
      await api.until(`${pods(api)}/lone`, ({ body }) => body.metadata.ownerReferences === undefined);
      await settled(api, `${replicaSets(api)}/web`, hasReady(1));
      await api.get(`${pods(api)}?labelSelector=app=web`, states);
    },
    'a ReplicaSet deletes Pods when it scales down': async (api) => {
      await api.post(replicaSets(api), replicated(), quiet);
      await settled(api, `${replicaSets(api)}/web`, hasReady(2));
      await api.patch(`${replicaSets(api)}/web`, { spec: { replicas: 1 } }, quiet);
      await settled(
        api,
        `${replicaSets(api)}/web`,
        (body) => hasReady(1)(body) && body.status.terminatingReplicas === 0,
      );
      await api.get(`${replicaSets(api)}/web`, shown);
      await eventOf(api, 'web', 'SuccessfulDelete');
    },
    'a ReplicaSet replaces a deleted Pod': async (api) => {
      await api.post(replicaSets(api), replicated({ replicas: 1 }), quiet);
      await settled(api, `${replicaSets(api)}/web`, hasReady(1));
      const { body } = await api.get(pods(api), quiet);
      const { name, uid } = body.items[0].metadata;
      await api.delete(`${pods(api)}/${name}`, undefined, quiet);
      await api.until(pods(api), ({ body: live }) => live.items.length === 1 && live.items[0].metadata.uid !== uid);
      await settled(
        api,
        `${replicaSets(api)}/web`,
        (live) => hasReady(1)(live) && live.status.terminatingReplicas === 0,
      );
      await api.get(`${replicaSets(api)}/web`, shown);
    },
    'a StatefulSet creates its Pods in order': async (api) => {
      await api.post(statefulSets(api), replicated({ serviceName: 'web' }), quiet);
      await settled(api, `${statefulSets(api)}/web`, (body) => body.status.availableReplicas === 2);
      await api.get(`${statefulSets(api)}/web`, shown);
      await api.get(pods(api), states);
      await api.get(`${pods(api)}/web-0`, { only: ['spec.hostname', 'spec.subdomain', 'metadata.generateName'] });
      await api.get(revisions(api), {
        only: ['items.*.metadata.labels', 'items.*.metadata.ownerReferences', 'items.*.data', 'items.*.revision'],
      });
      await compareEvents(api, 'StatefulSet', 'web');
    },
    'a StatefulSet can create its Pods in parallel and from a start ordinal': async (api) => {
      const spec = { podManagementPolicy: 'Parallel', ordinals: { start: 3 } };
      await api.post(statefulSets(api), replicated(spec), quiet);
      await settled(api, `${statefulSets(api)}/web`, (body) => body.status.availableReplicas === 2);
      await api.get(`${statefulSets(api)}/web`, shown);
      await api.get(pods(api), { only: ['items.*.metadata.name', 'items.*.metadata.labels'] });
    },
    'a StatefulSet scales down from the last Pod': async (api) => {
      await api.post(statefulSets(api), replicated({ replicas: 3 }), quiet);
      await settled(api, `${statefulSets(api)}/web`, (body) => body.status.availableReplicas === 3);
      await api.patch(`${statefulSets(api)}/web`, { spec: { replicas: 1 } }, quiet);
      await settled(
        api,
        `${statefulSets(api)}/web`,
        (body) => body.status.replicas === 1 && body.status.observedGeneration === 2,
      );
      await api.get(`${statefulSets(api)}/web`, shown);
      await compareEvents(api, 'StatefulSet', 'web');
    },
    'a StatefulSet updates from the last Pod to the first': async (api) => {
      await api.post(statefulSets(api), replicated(), quiet);
      await settled(api, `${statefulSets(api)}/web`, (body) => body.status.availableReplicas === 2);
      await api.patch(`${statefulSets(api)}/web`, withImage('nginx:2'), quiet);
      await settled(
        api,
        `${statefulSets(api)}/web`,
        ({ status }) =>
          status.updatedReplicas === 2 &&
          status.availableReplicas === 2 &&
          status.currentRevision === status.updateRevision &&
          status.observedGeneration === 2,
      );
      await api.get(`${statefulSets(api)}/web`, shown);
      await api.get(pods(api), { only: ['items.*.metadata.name', 'items.*.metadata.labels'] });
      await compareEvents(api, 'StatefulSet', 'web');
    },
    'a partition prevents updates of the first Pods of a StatefulSet': async (api) => {
      await api.post(statefulSets(api), replicated({ updateStrategy: { rollingUpdate: { partition: 1 } } }), quiet);
      await settled(api, `${statefulSets(api)}/web`, (body) => body.status.availableReplicas === 2);
      await api.patch(`${statefulSets(api)}/web`, withImage('nginx:2'), quiet);
      await settled(
        api,
        `${statefulSets(api)}/web`,
        ({ status }) =>
          status.updatedReplicas === 1 && status.availableReplicas === 2 && status.observedGeneration === 2,
      );
      await api.get(`${statefulSets(api)}/web`, shown);
      await api.get(pods(api), { only: ['items.*.metadata.name', 'items.*.metadata.labels'] });
    },
    'a StatefulSet with the strategy OnDelete updates only Pods that a client deletes': async (api) => {
      await api.post(statefulSets(api), replicated({ updateStrategy: { type: 'OnDelete' } }), quiet);
      await settled(api, `${statefulSets(api)}/web`, (body) => body.status.availableReplicas === 2);
      await api.patch(`${statefulSets(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${statefulSets(api)}/web`, ({ status }) => status.observedGeneration === 2);
      await api.delete(`${pods(api)}/web-0`, undefined, quiet);
      await settled(
        api,
        `${statefulSets(api)}/web`,
        ({ status }) => status.updatedReplicas === 1 && status.availableReplicas === 2,
      );
      await api.get(`${statefulSets(api)}/web`, shown);
      await api.get(pods(api), { only: ['items.*.metadata.name', 'items.*.metadata.labels'] });
    },
    'keeps the claims of a StatefulSet that scales down unless its policy deletes them': async (api) => {
      const claim = {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        resources: { requests: { storage: '1Gi' } },
      };
      const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: claim }];
      await api.post(
        statefulSets(api),
        replicated({ volumeClaimTemplates, replicas: 1, podManagementPolicy: 'Parallel' }),
        quiet,
      );
      await api.until(`${claims(api)}/data-web-0`, ({ status }) => status === 200);
      await api.get(`${claims(api)}/data-web-0`, shown);
      const persistentVolumeClaimRetentionPolicy = { whenScaled: 'Delete', whenDeleted: 'Delete' };
      await api.patch(`${statefulSets(api)}/web`, { spec: { persistentVolumeClaimRetentionPolicy } }, quiet);
      await api.until(`${claims(api)}/data-web-0`, ({ body }) => body.metadata.ownerReferences !== undefined);
      await api.get(`${claims(api)}/data-web-0`, shown);
      await api.patch(`${statefulSets(api)}/web`, { spec: { replicas: 0 } }, quiet);
      await api.until(`${claims(api)}/data-web-0`, isNotFound);
    },
    'a DaemonSet creates a Pod on the node': async (api) => {
      await api.post(
        daemonSets(api),
        { metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template: template() } },
        quiet,
      );
      await settled(api, `${daemonSets(api)}/web`, (body) => body.status.numberAvailable === 1);
      await api.get(`${daemonSets(api)}/web`, shown);
      await api.get(pods(api), {
        only: [
          'items.*.metadata.labels',
          'items.*.metadata.ownerReferences',
          'items.*.spec.affinity',
          'items.*.spec.tolerations',
          'items.*.status.phase',
        ],
      });
      await api.get(revisions(api), {
        only: ['items.*.metadata.labels', 'items.*.metadata.annotations', 'items.*.data', 'items.*.revision'],
      });
      await compareEvents(api, 'DaemonSet', 'web');
    },
    'a DaemonSet that selects no node has no Pods': async (api) => {
      const spec = { selector: { matchLabels: { app: 'web' } }, template: template({ nodeSelector: { no: 'where' } }) };
      await api.post(daemonSets(api), { metadata: { name: 'web' }, spec }, quiet);
      await settled(api, `${daemonSets(api)}/web`, (body) => body.status.observedGeneration === 1);
      await api.get(`${daemonSets(api)}/web`, shown);
    },
    'a DaemonSet replaces its Pods for a new template': async (api) => {
      await api.post(
        daemonSets(api),
        { metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template: template() } },
        quiet,
      );
      await settled(api, `${daemonSets(api)}/web`, (body) => body.status.numberAvailable === 1);
      await api.patch(`${daemonSets(api)}/web`, withImage('nginx:2'), quiet);
      await settled(
        api,
        `${daemonSets(api)}/web`,
        ({ status }) =>
          status.numberAvailable === 1 && status.updatedNumberScheduled === 1 && status.observedGeneration === 2,
      );
      await api.get(`${daemonSets(api)}/web`, shown);
      await api.get(`${pods(api)}?labelSelector=app=web`, { only: ['items.*.metadata.labels'] });
      await compareEvents(api, 'DaemonSet', 'web');
    },
    'a DaemonSet with the strategy OnDelete does not replace its Pods for a new template': async (api) => {
      const spec = {
        selector: { matchLabels: { app: 'web' } },
        template: template(),
        updateStrategy: { type: 'OnDelete' },
      };
      await api.post(daemonSets(api), { metadata: { name: 'web' }, spec }, quiet);
      await settled(api, `${daemonSets(api)}/web`, (body) => body.status.numberAvailable === 1);
      await api.patch(`${daemonSets(api)}/web`, withImage('nginx:2'), quiet);
      await settled(api, `${daemonSets(api)}/web`, ({ status }) => status.observedGeneration === 2);
      await api.get(`${daemonSets(api)}/web`, shown);
    },
    'a Job completes': async (api) => {
      await finished(api, { completions: 2, template: ending('exit 0') });
      await api.get(`${jobs(api)}/job`, shown);
      await api.get(pods(api), {
        only: [
          'items.*.metadata.labels',
          'items.*.metadata.finalizers',
          'items.*.status.phase',
          'items.*.status.conditions',
          'items.*.status.containerStatuses',
        ],
      });
      await eventOf(api, 'job', 'Completed');
      await compareEvents(api, 'Job', 'job');
    },
    'a Job fails when its Pods exceed the backoffLimit': async (api) => {
      await finished(api, { backoffLimit: 0, template: ending('exit 3') });
      await api.get(`${jobs(api)}/job`, shown);
      await api.get(pods(api), {
        only: [
          'items.*.metadata.finalizers',
          'items.*.status.phase',
          'items.*.status.conditions',
          'items.*.status.containerStatuses',
        ],
      });
      await eventOf(api, 'job', 'BackoffLimitExceeded');
      await compareEvents(api, 'Job', 'job');
    },
    'an indexed Job reports its completed indexes': async (api) => {
      await finished(api, { completions: 3, parallelism: 3, completionMode: 'Indexed', template: ending('exit 0') });
      await api.get(`${jobs(api)}/job`, shown);
      const selected = `${pods(api)}?labelSelector=batch.kubernetes.io/job-completion-index=1`;
      await api.get(selected, {
        only: [
          'items.*.metadata.labels',
          'items.*.metadata.annotations',
          'items.*.metadata.generateName',
          'items.*.spec.hostname',
          'items.*.spec.containers.*.env',
        ],
      });
    },
    'a Job runs up to parallelism Pods at once': async (api) => {
      await api.post(
        jobs(api),
        { metadata: { name: 'job' }, spec: { completions: 5, parallelism: 2, template: ending('sleep 1000') } },
        quiet,
      );
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.active === 2 && status.ready === 2);
      await api.get(`${jobs(api)}/job`, shown);
      await api.patch(`${jobs(api)}/job`, { spec: { parallelism: 1 } }, quiet);
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.active === 1 && status.terminating === 0);
      await api.get(`${jobs(api)}/job`, { only: ['status'] });
    },
    'a suspended Job has no Pods until the Job resumes': async (api) => {
      await api.post(
        jobs(api),
        { metadata: { name: 'job' }, spec: { suspend: true, template: ending('exit 0') } },
        quiet,
      );
      await settled(api, `${jobs(api)}/job`, (body) => reasonOf(body, 'Suspended') !== undefined);
      await api.get(`${jobs(api)}/job`, shown);
      await api.patch(`${jobs(api)}/job`, { spec: { suspend: false } }, quiet);
      await settled(api, `${jobs(api)}/job`, isFinished);
      await api.get(`${jobs(api)}/job`, { only: ['status'] });
      await eventOf(api, 'job', 'Completed');
      await compareEvents(api, 'Job', 'job');
    },
    'suspending a Job deletes its Pods': async (api) => {
      await api.post(jobs(api), { metadata: { name: 'job' }, spec: { template: ending('sleep 1000') } }, quiet);
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.ready === 1);
      await api.patch(`${jobs(api)}/job`, { spec: { suspend: true } }, quiet);
      await settled(
        api,
        `${jobs(api)}/job`,
        (body) => reasonOf(body, 'Suspended') !== undefined && body.status.terminating === 0,
      );
      await api.get(`${jobs(api)}/job`, { only: ['status'] });
      await api.until(pods(api), ({ body }) => body.items.length === 0);
    },
    'a Job fails after its activeDeadlineSeconds': async (api) => {
      const spec = { activeDeadlineSeconds: 3, template: ending('sleep 1000') };
      await api.post(jobs(api), { metadata: { name: 'job' }, spec }, quiet);
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.ready === 1);
      await settled(api, `${jobs(api)}/job`, isFinished);
      await api.get(`${jobs(api)}/job`, shown);
      await eventOf(api, 'job', 'DeadlineExceeded');
      await compareEvents(api, 'Job', 'job');
    },
    'a rule of the podFailurePolicy fails a Job immediately': async (api) => {
      const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }];
      await finished(api, { podFailurePolicy: { rules }, template: ending('exit 42') });
      await api.get(`${jobs(api)}/job`, { only: ['status'] });
    },
    'a rule of the successPolicy completes a Job early': async (api) => {
      const successPolicy = { rules: [{ succeededCount: 1 }] };
      await finished(api, {
        completions: 3,
        parallelism: 1,
        completionMode: 'Indexed',
        successPolicy,
        template: ending('exit 0'),
      });
      await api.get(`${jobs(api)}/job`, { only: ['status.conditions'] });
    },
    'a Job without completions is complete when its Pods succeed': async (api) => {
      await finished(api, { parallelism: 2, template: ending('exit 0') });
      await api.get(`${jobs(api)}/job`, { only: ['spec.completions', 'status'] });
    },
    'deletes a finished Job after its ttlSecondsAfterFinished': async (api) => {
      await api.post(
        jobs(api),
        { metadata: { name: 'job' }, spec: { ttlSecondsAfterFinished: 0, template: ending('exit 0') } },
        quiet,
      );
      await api.until(`${jobs(api)}/job`, isNotFound);
      await api.until(pods(api), ({ body }) => body.items.length === 0);
      await api.get(`${jobs(api)}/job`);
    },
    'ignores a Job with another managedBy': async (api) => {
      await api.post(
        jobs(api),
        { metadata: { name: 'job' }, spec: { managedBy: 'example.com/mine', template: ending('exit 0') } },
        quiet,
      );
      await finishedElsewhere(api);
      await api.get(`${jobs(api)}/job`, { only: ['status'] });
    },
    'a suspended CronJob creates no Jobs': async (api) => {
      const spec = { schedule: '* * * * *', suspend: true, jobTemplate: { spec: { template: ending('exit 0') } } };
      await api.post(paths.batch(api, 'cronjobs'), { metadata: { name: 'cron' }, spec }, quiet);
      await finishedElsewhere(api);
      await api.get(`${paths.batch(api, 'cronjobs')}/cron`, shown);
    },
    'a CronJob creates a Job on schedule': async (api) => {
      const jobTemplate = {
        metadata: { labels: { l: 'v' }, annotations: { a: 'v' } },
        spec: { template: ending('exit 0') },
      };
      await api.post(
        paths.batch(api, 'cronjobs'),
        { metadata: { name: 'cron' }, spec: { schedule: '@every 2s', jobTemplate } },
        quiet,
      );
      await settled(api, `${paths.batch(api, 'cronjobs')}/cron`, ({ status }) => status.lastScheduleTime !== undefined);
      await api.patch(`${paths.batch(api, 'cronjobs')}/cron`, { spec: { suspend: true } }, quiet);
      const { body } = await api.until(jobs(api), ({ body: live }) => live.items.every(isFinished));
      api.mask(body.items[0].metadata.name, '<run>');
      await learnNames(api);
      await api.get(`${jobs(api)}/${body.items[0].metadata.name}`, shown);
      await settled(
        api,
        `${paths.batch(api, 'cronjobs')}/cron`,
        ({ status }) => status.active === undefined && status.lastSuccessfulTime !== undefined,
      );
      await api.get(`${paths.batch(api, 'cronjobs')}/cron`, { only: ['status', 'spec'] });
    },
    'a Pod runs and becomes ready': async (api) => {
      await api.post(pods(api), pod('a'), quiet);
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      await api.get(`${pods(api)}/a`, { only: ['status', 'spec.nodeName', 'metadata.generation'] });
      await eventOf(api, 'a', 'Scheduled');
      await compareEvents(api, 'Pod', 'a');
    },
    'init containers finish before a Pod runs': async (api) => {
      const initContainers = [
        { name: 'i', image: 'busybox' },
        { name: 's', image: 'busybox', restartPolicy: 'Always' },
      ];
      await api.post(
        pods(api),
        pod('a', { initContainers, readinessGates: [{ conditionType: 'example.com/gate' }] }),
        quiet,
      );
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      await api.get(`${pods(api)}/a`, { only: ['status'] });
    },
    'a Pod with hostNetwork has the address of its node': async (api) => {
      await api.post(pods(api), pod('a', { hostNetwork: true }), quiet);
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      await api.get(`${pods(api)}/a`, { only: ['status.podIP', 'status.hostIP', 'status.phase'] });
    },
    'Pods terminate according to their commands and their restartPolicy': async (api) => {
      const cases: readonly (readonly [string, string, string, string])[] = [
        ['true', 'true', 'Never', 'Succeeded'],
        ['zero', 'exit 0', 'OnFailure', 'Succeeded'],
        ['false', 'false', 'Never', 'Failed'],
        ['five', 'exit 5', 'Never', 'Failed'],
        ['sleeps', 'sleep 5', 'Never', 'Running'],
        ['again', 'exit 5', 'OnFailure', 'Running'],
        ['always', 'exit 0', 'Always', 'Running'],
      ];
      for (const [name, command, restartPolicy] of cases) {
        const containers = [{ name: 'c', image: 'busybox', command: [command] }];
        await api.post(pods(api), pod(name, { restartPolicy, containers }), quiet);
      }
      for (const [name, , , phase] of cases)
        await settled(api, `${pods(api)}/${name}`, (body) => body.status.phase === phase);
      await api.get(pods(api), {
        only: [
          'items.*.metadata.name',
          'items.*.status.phase',
          'items.*.status.conditions',
          'items.*.status.containerStatuses',
        ],
      });
    },
    'a Pod that fits no node stays pending and reports the reason': async (api) => {
      await api.post(pods(api), pod('picky', { nodeSelector: { no: 'where' } }), quiet);
      const resources = { requests: { cpu: '5000000' } };
      await api.post(pods(api), pod('big', { containers: [{ name: 'c', image: 'i', resources }] }), quiet);
      for (const name of ['picky', 'big']) {
        await settled(api, `${pods(api)}/${name}`, (body) => reasonOf(body, 'PodScheduled', 'False') !== undefined);
        await eventOf(api, name, 'FailedScheduling');
        await api.get(`${pods(api)}/${name}`, { only: ['status'] });
      }
      await compareEvents(api, 'Pod', 'picky');
    },
    'a Pod with a scheduling gate is not scheduled before the gate is removed': async (api) => {
      await api.post(pods(api), pod('a', { schedulingGates: [{ name: 'example.com/gate' }] }), quiet);
      await settled(api, `${pods(api)}/a`, (body) => reasonOf(body, 'PodScheduled', 'False') !== undefined);
      await api.get(`${pods(api)}/a`, { only: ['status'] });
      await api.patch(`${pods(api)}/a`, { spec: { schedulingGates: null } }, quiet);
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      await api.get(`${pods(api)}/a`, { only: ['status'] });
    },
    'a Pod with an absent claim stays pending': async (api) => {
      const podVolumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'missing' } }];
      await api.post(pods(api), pod('a', { volumes: podVolumes }), quiet);
      await settled(api, `${pods(api)}/a`, (body) => reasonOf(body, 'PodScheduled', 'False') !== undefined);
      await api.get(`${pods(api)}/a`, { only: ['status.conditions', 'status.phase'] });
    },
    'a deleted Pod terminates within its grace period': async (api) => {
      await api.post(pods(api), pod('a'), quiet);
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      await api.delete(`${pods(api)}/a`, undefined, { only: ['metadata.deletionGracePeriodSeconds', 'status.phase'] });
      await api.until(`${pods(api)}/a`, isNotFound);
      await api.get(`${pods(api)}/a`);
    },
    'a Service has the addresses of its Pods': async (api) => {
      await api.post(
        services(api),
        {
          metadata: { name: 'web', labels: { l: 'v' } },
          spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
        },
        quiet,
      );
      await rolledOut(api, { replicas: 1 });
      await api.until(slices(api), ({ body }) => body.items[0]?.endpoints?.length === 1);
      await api.until(`${paths.core(api, 'endpoints')}/web`, ({ body }) => body.subsets?.[0]?.addresses !== undefined);
      await learnNames(api);
      await api.get(slices(api), {
        only: [
          'items.*.metadata.labels',
          'items.*.metadata.annotations',
          'items.*.metadata.ownerReferences',
          'items.*.metadata.generateName',
          'items.*.endpoints',
          'items.*.ports',
          'items.*.addressType',
        ],
      });
      await api.get(`${paths.core(api, 'endpoints')}/web`, {
        only: ['metadata.labels', 'metadata.annotations', 'subsets'],
      });
    },
    'a Service without Pods has one empty EndpointSlice': async (api) => {
      await api.post(
        services(api),
        { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
        quiet,
      );
      await api.until(slices(api), ({ body }) => body.items.length === 1);
      await api.until(`${paths.core(api, 'endpoints')}/web`, ({ status }) => status === 200);
      await api.get(slices(api), {
        only: [
          'items.*.metadata.labels',
          'items.*.metadata.annotations',
          'items.*.endpoints',
          'items.*.ports',
          'items.*.addressType',
        ],
      });
      await api.get(`${paths.core(api, 'endpoints')}/web`, {
        only: ['metadata.labels', 'metadata.annotations', 'subsets'],
      });
    },
    'a headless Service of a StatefulSet has the hostnames of its Pods': async (api) => {
      await api.post(
        services(api),
        { metadata: { name: 'web' }, spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] } },
        quiet,
      );
      await api.post(statefulSets(api), replicated({ serviceName: 'web', replicas: 1 }), quiet);
      await settled(api, `${statefulSets(api)}/web`, (body) => body.status.availableReplicas === 1);
      await api.until(slices(api), ({ body }) => body.items[0]?.endpoints?.length === 1);
      await api.get(slices(api), { only: ['items.*.metadata.labels', 'items.*.endpoints', 'items.*.ports'] });
    },
    'EndpointSlices mark Pods that are not ready': async (api) => {
      await api.post(
        services(api),
        { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
        quiet,
      );
      await api.post(pods(api), { ...pod('a'), metadata: { name: 'a', labels: { app: 'web' } } }, quiet);
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      const conditions = [{ type: 'Ready', status: 'False' }];
      await api.patch(
        `${pods(api)}/a/status`,
        { status: { conditions } },
        { ...quiet, type: 'application/strategic-merge-patch+json' },
      );
      await api.until(slices(api), ({ body }) => body.items[0]?.endpoints?.[0]?.conditions?.ready === false);
      await api.until(
        `${paths.core(api, 'endpoints')}/web`,
        ({ body }) => body.subsets?.[0]?.notReadyAddresses !== undefined,
      );
      await api.get(slices(api), { only: ['items.*.endpoints', 'items.*.ports'] });
      await api.get(`${paths.core(api, 'endpoints')}/web`, { only: ['subsets'] });
    },
    'creates no Endpoints for a Service without a selector, and deletes Endpoints with their Service': async (api) => {
      await api.post(services(api), { metadata: { name: 'bare' }, spec: { ports: [{ port: 80 }] } }, quiet);
      await api.post(
        services(api),
        { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
        quiet,
      );
      await api.until(`${paths.core(api, 'endpoints')}/web`, ({ status }) => status === 200);
      await api.get(`${paths.core(api, 'endpoints')}/bare`);
      await api.delete(`${services(api)}/web`, undefined, quiet);
      await api.until(`${paths.core(api, 'endpoints')}/web`, isNotFound);
      await api.until(slices(api), ({ body }) => body.items.length === 0);
    },
    'binds a claim to the smallest matching volume': async (api) => {
      const [small, large] = [api.name('small'), api.name('large')];
      const storageClassName = `${api.namespace}-class`;
      for (const [name, storage] of [
        [large, '9Gi'],
        [small, '2Gi'],
      ] as const) {
        const spec = {
          capacity: { storage },
          accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
          hostPath: { path: '/x' },
          storageClassName,
        };
        await api.post(volumes, { metadata: { name }, spec }, quiet);
        await api.until(`${volumes}/${name}`, ({ body }) => body.status.phase === 'Available');
      }
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName };
      await api.post(claims(api), { metadata: { name: 'data' }, spec }, quiet);
      await api.until(`${claims(api)}/data`, ({ body }) => body.status.phase === 'Bound');
      await api.get(`${claims(api)}/data`, shown);
      await api.get(`${volumes}/${small}`, shown);
      await api.get(`${volumes}/${large}`, { only: ['status'] });
      // A volume is deleted only after its claim.
      await api.delete(`${claims(api)}/data`, undefined, quiet);
      await api.until(`${claims(api)}/data`, isNotFound);
    },
    'releases a volume when its claim is deleted': async (api) => {
      const name = api.name('volume');
      const storageClassName = `${api.namespace}-class`;
      const common = { accessModes: ['ReadWriteOnce'], storageClassName };
      await api.post(
        volumes,
        { metadata: { name }, spec: { ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } },
        quiet,
      );
      await api.post(
        claims(api),
        { metadata: { name: 'data' }, spec: { ...common, resources: { requests: { storage: '1Gi' } } } },
        quiet,
      );
      await api.until(`${claims(api)}/data`, ({ body }) => body.status.phase === 'Bound');
      await api.delete(`${claims(api)}/data`, undefined, quiet);
      await api.until(`${claims(api)}/data`, isNotFound);
      await api.until(`${volumes}/${name}`, ({ body }) => body.status.phase === 'Released');
      await api.get(`${volumes}/${name}`, shown);
    },
    'reports in an Event that a claim has neither a volume nor a class': async (api) => {
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: '',
      };
      await api.post(claims(api), { metadata: { name: 'data' }, spec }, quiet);
      await eventOf(api, 'data', 'FailedBinding');
      await api.get(`${claims(api)}/data`, shown);
      await compareEvents(api, 'PersistentVolumeClaim', 'data');
    },
    'reports in an Event that the class of a claim does not exist': async (api) => {
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'nowhere',
      };
      await api.post(claims(api), { metadata: { name: 'data' }, spec }, quiet);
      await eventOf(api, 'data', 'ProvisioningFailed');
      await compareEvents(api, 'PersistentVolumeClaim', 'data');
    },
    'keeps a deleted claim while a Pod uses it': async (api) => {
      const name = api.name('volume');
      const common = { accessModes: ['ReadWriteOnce'], storageClassName: `${api.namespace}-class` };
      await api.post(
        volumes,
        { metadata: { name }, spec: { ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } },
        quiet,
      );
      await api.post(
        claims(api),
        { metadata: { name: 'data' }, spec: { ...common, resources: { requests: { storage: '1Gi' } } } },
        quiet,
      );
      await api.post(
        pods(api),
        pod('a', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] }),
        quiet,
      );
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      await api.delete(`${claims(api)}/data`, undefined, { only: ['metadata.finalizers', 'status.phase'] });
      await api.delete(`${pods(api)}/a`, undefined, quiet);
      await api.until(`${claims(api)}/data`, isNotFound);
      await api.get(`${claims(api)}/data`);
    },
    'a PodDisruptionBudget reports the permitted disruptions': async (api) => {
      const budgets = `/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets`;
      const selector = { matchLabels: { app: 'web' } };
      await rolledOut(api, { replicas: 3 });
      for (const [name, limit] of [
        ['least', { minAvailable: 1 }],
        ['share', { minAvailable: '50%' }],
        ['most', { maxUnavailable: 1 }],
        ['none', { maxUnavailable: 0 }],
      ] as const) {
        await api.post(budgets, { metadata: { name }, spec: { selector, ...limit } }, quiet);
        await settled(api, `${budgets}/${name}`, ({ status }) => status.currentHealthy === 3);
        await api.get(`${budgets}/${name}`, { only: ['status'] });
      }
    },
    'a PodDisruptionBudget without Pods reports that it permits no disruptions': async (api) => {
      const budgets = `/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets`;
      await api.post(
        budgets,
        { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } },
        quiet,
      );
      await settled(api, `${budgets}/b`, ({ status }) => status?.conditions?.length === 1);
      await api.get(`${budgets}/b`, { only: ['status'] });
      await eventOf(api, 'b', 'NoPods');
    },
    'a PodDisruptionBudget with a percentage fails for Pods whose controller has no scale': async (api) => {
      const budgets = `/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets`;
      await api.post(
        jobs(api),
        {
          metadata: { name: 'job' },
          spec: { template: { metadata: { labels: { app: 'web' } }, ...ending('sleep 1000') } },
        },
        quiet,
      );
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.ready === 1);
      await api.post(
        budgets,
        { metadata: { name: 'b' }, spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } } },
        quiet,
      );
      await settled(api, `${budgets}/b`, (body) => reasonOf(body, 'DisruptionAllowed', 'False') === 'SyncFailed');
      await api.get(`${budgets}/b`, { only: ['status'] });
      await eventOf(api, 'b', 'CalculateExpectedPodCountFailed');
    },
    'a PodDisruptionBudget with a percentage warns about Pods without a controller': async (api) => {
      const budgets = `/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets`;
      await api.post(pods(api), { ...pod('a'), metadata: { name: 'a', labels: { app: 'web' } } }, quiet);
      await settled(api, `${pods(api)}/a`, (body) => body.status.phase === 'Running');
      const spec = { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } };
      await api.post(budgets, { metadata: { name: 'b' }, spec }, quiet);
      await settled(api, `${budgets}/b`, ({ status }) => status.currentHealthy === 1);
      await api.get(`${budgets}/b`, { only: ['status'] });
      await eventOf(api, 'b', 'UnmanagedPods');
      await compareEvents(api, 'PodDisruptionBudget', 'b');
    },
    'a terminating namespace deletes its Pods first': async (api) => {
      const name = api.name('ending');
      await api.post('/api/v1/namespaces', { metadata: { name } }, quiet);
      await api.until(`/api/v1/namespaces/${name}/serviceaccounts/default`, ({ status }) => status === 200);
      const held = { ...pod('a'), metadata: { name: 'a', finalizers: ['example.com/wait'] } };
      await api.post(`/api/v1/namespaces/${name}/pods`, held, quiet);
      await api.post(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'c' } }, quiet);
      await api.delete(`/api/v1/namespaces/${name}`, undefined, quiet);
      await api.until(`/api/v1/namespaces/${name}`, ({ body }) => body.status.conditions?.length === 5);
      await api.get(`/api/v1/namespaces/${name}/configmaps/c`, { only: ['metadata.name'] });
      await api.patch(`/api/v1/namespaces/${name}/pods/a`, { metadata: { finalizers: null } }, quiet);
      await api.until(`/api/v1/namespaces/${name}`, isNotFound);
    },
  },
);

/** Compares the ReplicaSets in the order of their revisions. */
async function compareSets(api: ContractApi): Promise<void> {
  const { body } = await api.get(replicaSets(api), quiet);
  const revision = ({ metadata }: Json): number => Number(metadata.annotations['deployment.kubernetes.io/revision']);
  for (const { metadata } of body.items.toSorted((a: Json, b: Json) => revision(a) - revision(b))) {
    await api.get(`${replicaSets(api)}/${metadata.name}`, {
      only: ['spec.replicas', 'status', 'metadata.annotations'],
    });
  }
}

/** Creates another Job and waits until it has finished. The controllers have then processed all earlier objects. */
async function finishedElsewhere(api: ContractApi): Promise<void> {
  await api.post(jobs(api), { metadata: { name: 'later' }, spec: { template: ending('exit 0') } }, quiet);
  await api.until(`${jobs(api)}/later`, ({ body }) => isFinished(body));
}
