import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import type { Json } from './json.js';
import { compareEvents, eventOf, isRolledOut, paths, reasonOf, settled, whole } from './workload-steps.js';

const quiet = { quiet: true };
const shown = { only: whole };
const isNotFound = ({ status }: { status: number }): boolean => status === 404;
const template = (spec: object = {}): object => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }], ...spec },
});
const ending = (command: string): object => ({
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', command] }] },
});
const controller = (spec: object = {}): object => ({
  metadata: { name: 'web' },
  spec: { replicas: 2, selector: { app: 'web' }, template: template(), ...spec },
});
const indexed = (spec: object): object => ({ completionMode: 'Indexed', backoffLimitPerIndex: 0, ...spec });
const withImage = (image: string): object => ({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } });

const controllers = (api: ContractApi): string => paths.core(api, 'replicationcontrollers');
const pods = (api: ContractApi): string => paths.core(api, 'pods');
const jobs = (api: ContractApi): string => paths.batch(api, 'jobs');
const daemonSets = (api: ContractApi): string => paths.apps(api, 'daemonsets');
const statefulSets = (api: ContractApi): string => paths.apps(api, 'statefulsets');
const deployments = (api: ContractApi): string => paths.apps(api, 'deployments');

const hasReady =
  (count: number) =>
  ({ status, metadata }: Json): boolean =>
    (status.readyReplicas ?? 0) === count &&
    (status.replicas ?? 0) === count &&
    (status.availableReplicas ?? 0) === count &&
    status.observedGeneration === metadata.generation;
const isFinished = (body: Json): boolean =>
  reasonOf(body, 'Complete') !== undefined || reasonOf(body, 'Failed') !== undefined;

/** Creates a Job, waits until it has finished, and compares its status and its Events. */
async function finished(api: ContractApi, spec: object, reason: string): Promise<void> {
  await api.post(jobs(api), { metadata: { name: 'job' }, spec }, quiet);
  await settled(api, `${jobs(api)}/job`, isFinished);
  await api.get(`${jobs(api)}/job`, { only: ['status'] });
  await eventOf(api, 'job', reason);
}

/** Creates a DaemonSet and waits until its Pod is available. */
async function daemonSet(api: ContractApi, spec: object = {}): Promise<void> {
  const body = {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: template(), ...spec },
  };
  await api.post(daemonSets(api), body, quiet);
  await settled(api, `${daemonSets(api)}/web`, ({ status }) => status.numberAvailable === 1);
}

/** Changes the image of a DaemonSet and waits until its Pod is updated. */
async function updateDaemonSet(api: ContractApi, image: string): Promise<void> {
  const { body } = await api.patch(`${daemonSets(api)}/web`, withImage(image), quiet);
  const { generation } = body.metadata;
  await settled(
    api,
    `${daemonSets(api)}/web`,
    ({ status }) =>
      status.observedGeneration === generation && status.updatedNumberScheduled === 1 && status.numberAvailable === 1,
  );
  await api.until(`${pods(api)}?labelSelector=app=web`, ({ body: list }) => list.items.length === 1);
}

contract(
  'workload-policies',
  { workloads: true },
  {
    'a ReplicationController creates missing Pods and reports them in Events': async (api) => {
      await api.post(controllers(api), controller(), quiet);
      await settled(api, `${controllers(api)}/web`, hasReady(2));
      await api.get(`${controllers(api)}/web`, shown);
      await api.get(pods(api), { only: ['items.*.metadata.labels', 'items.*.metadata.ownerReferences'] });
      await compareEvents(api, 'ReplicationController', 'web');
    },
    'a ReplicationController adopts matching Pods and releases other Pods': async (api) => {
      const lone = {
        metadata: { name: 'lone', labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      };
      await api.post(pods(api), lone, quiet);
      await api.post(controllers(api), controller({ replicas: 1 }), quiet);
      await settled(api, `${controllers(api)}/web`, hasReady(1));
      await api.get(`${pods(api)}/lone`, { only: ['metadata.ownerReferences', 'metadata.labels'] });
      await api.patch(`${pods(api)}/lone`, { metadata: { labels: { app: 'other' } } }, quiet);
      await api.until(`${pods(api)}/lone`, ({ body }) => body.metadata.ownerReferences === undefined);
      // The status can still be the status before the release.
      await api.until(`${pods(api)}?labelSelector=app=web`, ({ body }) => body.items.length === 1);
      await settled(api, `${controllers(api)}/web`, hasReady(1));
      await api.get(`${pods(api)}?labelSelector=app=web`, { only: ['items.*.metadata.ownerReferences'] });
    },
    'a ReplicationController scales through its scale': async (api) => {
      await api.post(controllers(api), controller(), quiet);
      await settled(api, `${controllers(api)}/web`, hasReady(2));
      await api.patch(`${controllers(api)}/web/scale`, { spec: { replicas: 1 } }, { only: ['spec', 'status'] });
      await settled(api, `${controllers(api)}/web`, hasReady(1));
      await api.get(`${controllers(api)}/web`, shown);
      await api.get(`${controllers(api)}/web/scale`, { only: ['spec', 'status'] });
      await eventOf(api, 'web', 'SuccessfulDelete');
    },
    'a ReplicationController that exceeds a quota reports rejected Pods until it scales down': async (api) => {
      const quota = { metadata: { name: 'one' }, spec: { hard: { pods: '1' } } };
      await api.post(paths.core(api, 'resourcequotas'), quota, quiet);
      await api.until(`${paths.core(api, 'resourcequotas')}/one`, ({ body }) => body.status.hard?.pods === '1');
      await api.post(controllers(api), controller({ replicas: 2 }), quiet);
      await settled(api, `${controllers(api)}/web`, (body) => reasonOf(body, 'ReplicaFailure') !== undefined);
      await api.get(`${controllers(api)}/web`, {
        only: ['status.conditions.*.type', 'status.conditions.*.status', 'status.conditions.*.reason'],
      });
      await api.patch(`${controllers(api)}/web/scale`, { spec: { replicas: 1 } }, quiet);
      await settled(api, `${controllers(api)}/web`, hasReady(1));
      await api.get(`${controllers(api)}/web`, { only: ['status'] });
    },
    'deleting a ReplicationController orphans its Pods by default': async (api) => {
      await api.post(controllers(api), controller({ replicas: 1 }), quiet);
      await settled(api, `${controllers(api)}/web`, hasReady(1));
      await api.delete(`${controllers(api)}/web`, undefined, quiet);
      await api.until(`${controllers(api)}/web`, isNotFound);
      await api.get(pods(api), { only: ['items.*.metadata.ownerReferences', 'items.*.metadata.labels'] });
    },
    'deleting a ReplicationController in the background deletes its Pods': async (api) => {
      await api.post(controllers(api), controller({ replicas: 1 }), quiet);
      await settled(api, `${controllers(api)}/web`, hasReady(1));
      await api.delete(`${controllers(api)}/web`, { propagationPolicy: 'Background' }, quiet);
      await api.until(pods(api), ({ body }) => body.items.length === 0);
      await api.get(`${controllers(api)}/web`);
    },
    'a Job with backoffLimitPerIndex reports its failed indexes': async (api) => {
      await finished(api, indexed({ completions: 2, parallelism: 2, template: ending('exit 3') }), 'FailedIndexes');
      await compareEvents(api, 'Job', 'job');
      await api.get(pods(api), {
        only: ['items.*.metadata.annotations', 'items.*.metadata.finalizers', 'items.*.status.phase'],
      });
    },
    'a Job completes with backoffLimitPerIndex if no index fails': async (api) => {
      await finished(api, indexed({ completions: 2, parallelism: 2, template: ending('exit 0') }), 'Completed');
    },
    'a Job fails when more indexes than maxFailedIndexes fail': async (api) => {
      const spec = indexed({ completions: 3, parallelism: 1, maxFailedIndexes: 0, template: ending('exit 3') });
      await finished(api, spec, 'MaxFailedIndexesExceeded');
      await compareEvents(api, 'Job', 'job');
    },
    'the action FailIndex fails an index before its limit': async (api) => {
      const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } }];
      const spec = indexed({
        completions: 1,
        parallelism: 1,
        backoffLimitPerIndex: 3,
        podFailurePolicy: { rules },
        template: ending('exit 42'),
      });
      await finished(api, spec, 'FailedIndexes');
    },
    'the action Count counts a failure toward the backoffLimit': async (api) => {
      const rules = [
        { action: 'Count', onExitCodes: { operator: 'NotIn', values: [1] } },
        { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
      ];
      const spec = { backoffLimit: 0, podFailurePolicy: { rules }, template: ending('exit 42') };
      await finished(api, spec, 'BackoffLimitExceeded');
    },
    'the action Ignore does not count a failure': async (api) => {
      const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [42] } }];
      const spec = { backoffLimit: 0, podFailurePolicy: { rules }, template: ending('exit 42') };
      await api.post(jobs(api), { metadata: { name: 'job' }, spec }, quiet);
      await api.until(`${pods(api)}?fieldSelector=status.phase=Failed`, ({ body }) => body.items.length > 1);
      await api.get(`${jobs(api)}/job`, { only: ['status.failed', 'status.conditions'] });
    },
    'a rule of the successPolicy selects indexes': async (api) => {
      const spec = {
        completionMode: 'Indexed',
        completions: 5,
        parallelism: 1,
        successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 2 }] },
        template: ending('exit 0'),
      };
      await finished(api, spec, 'Completed');
    },
    'a Job adopts matching Pods and releases other Pods': async (api) => {
      const labels = { app: 'job' };
      const { spec } = ending('sleep 1000') as { spec: object };
      await api.post(pods(api), { metadata: { name: 'lone', labels }, spec }, quiet);
      const job = { manualSelector: true, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
      await api.post(jobs(api), { metadata: { name: 'job' }, spec: job }, quiet);
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.ready === 1);
      const compared = { only: ['metadata.ownerReferences', 'metadata.finalizers', 'metadata.labels'] };
      await api.get(`${pods(api)}/lone`, compared);
      await api.patch(`${pods(api)}/lone`, { metadata: { labels: { app: 'other' } } }, quiet);
      await api.until(`${pods(api)}/lone`, ({ body }) => body.metadata.ownerReferences === undefined);
      await api.get(`${pods(api)}/lone`, compared);
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.ready === 1);
      await api.get(`${jobs(api)}/job`, { only: ['status'] });
    },
    'deletes a failed Job after its ttlSecondsAfterFinished': async (api) => {
      const spec = { ttlSecondsAfterFinished: 0, backoffLimit: 0, template: ending('exit 3') };
      await api.post(jobs(api), { metadata: { name: 'job' }, spec }, quiet);
      await api.until(`${jobs(api)}/job`, isNotFound);
      await api.until(pods(api), ({ body }) => body.items.length === 0);
    },
    'deleting a Job with orphaned Pods removes the finalizers of the Pods': async (api) => {
      await api.post(jobs(api), { metadata: { name: 'job' }, spec: { template: ending('sleep 1000') } }, quiet);
      await settled(api, `${jobs(api)}/job`, ({ status }) => status.ready === 1);
      await api.delete(`${jobs(api)}/job`, { propagationPolicy: 'Orphan' }, quiet);
      await api.until(`${jobs(api)}/job`, isNotFound);
      await api.until(pods(api), ({ body }) => body.items[0].metadata.finalizers === undefined);
      await api.get(pods(api), { only: ['items.*.metadata.ownerReferences', 'items.*.metadata.finalizers'] });
    },
    'a DaemonSet with maxSurge creates the new Pod before it deletes the old Pod': async (api) => {
      const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
      await daemonSet(api, { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
      await updateDaemonSet(api, 'nginx:2');
      await settled(api, `${daemonSets(api)}/web`, ({ status }) => status.numberAvailable === 1);
      await api.get(`${daemonSets(api)}/web`, { only: ['status'] });
      await compareEvents(api, 'DaemonSet', 'web');
    },
    'a DaemonSet reuses the revision of an earlier template': async (api) => {
      await daemonSet(api);
      await updateDaemonSet(api, 'nginx:2');
      await updateDaemonSet(api, 'nginx:1');
      await api.get(paths.apps(api, 'controllerrevisions'), { only: ['items.*.revision', 'items.*.data'] });
    },
    'a DaemonSet keeps the revisions up to its revisionHistoryLimit': async (api) => {
      await daemonSet(api, { revisionHistoryLimit: 1 });
      for (const image of ['nginx:2', 'nginx:3', 'nginx:4']) await updateDaemonSet(api, image);
      const { body } = await api.until(
        paths.apps(api, 'controllerrevisions'),
        ({ body: list }) => list.items.length === 2,
      );
      for (const { metadata } of body.items) api.mask(metadata.labels['controller-revision-hash'], '<hash>');
      await api.get(paths.apps(api, 'controllerrevisions'), { only: ['items.*.revision'] });
    },
    'a StatefulSet does not own the claims of another controller': async (api) => {
      const owners = paths.core(api, 'configmaps');
      const { body: owner } = await api.post(owners, { metadata: { name: 'owner' } }, quiet);
      const claimSpec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Mi' } },
        storageClassName: 'none',
      };
      const ownerReferences = [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid, controller: true },
      ];
      const claims = paths.core(api, 'persistentvolumeclaims');
      await api.post(claims, { metadata: { name: 'data-web-0', ownerReferences }, spec: claimSpec }, quiet);
      const spec = {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: template(),
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }],
      };
      await api.post(statefulSets(api), { metadata: { name: 'web' }, spec }, quiet);
      await eventOf(api, 'web', 'ConflictingController');
      await api.get(`${claims}/data-web-0`, { only: ['metadata.ownerReferences'] });
    },
    'a StatefulSet owns its claims according to its retention policy': async (api) => {
      const claimSpec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Mi' } },
        storageClassName: 'none',
      };
      const spec = {
        replicas: 2,
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: { app: 'web' } },
        template: template(),
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }],
      };
      const claims = paths.core(api, 'persistentvolumeclaims');
      const isOwned = ({ body }: { body: Json }): boolean =>
        body.items.length === 2 && body.items.every(({ metadata }: Json) => metadata.ownerReferences !== undefined);
      await api.post(statefulSets(api), { metadata: { name: 'web' }, spec }, quiet);
      await api.until(claims, isOwned);
      await api.get(claims, { only: ['items.*.metadata.name', 'items.*.metadata.ownerReferences'] });
      const retained = { whenDeleted: 'Retain', whenScaled: 'Retain' };
      await api.patch(`${statefulSets(api)}/web`, { spec: { persistentVolumeClaimRetentionPolicy: retained } }, quiet);
      await api.until(claims, ({ body }) =>
        body.items.every(({ metadata }: Json) => metadata.ownerReferences === undefined),
      );
    },
    'a Deployment counts revisions beyond 2^53 exactly': async (api) => {
      const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: template() };
      await api.post(deployments(api), { metadata: { name: 'web' }, spec }, quiet);
      await settled(api, `${deployments(api)}/web`, isRolledOut);
      const { body } = await api.get(paths.apps(api, 'replicasets'), quiet);
      const annotations = { 'deployment.kubernetes.io/revision': '9007199254740993' };
      await api.patch(
        `${paths.apps(api, 'replicasets')}/${body.items[0].metadata.name}`,
        { metadata: { annotations } },
        quiet,
      );
      await api.until(
        `${deployments(api)}/web`,
        ({ body: live }) => live.metadata.annotations['deployment.kubernetes.io/revision'] === '9007199254740993',
      );
      const { body: changed } = await api.patch(`${deployments(api)}/web`, withImage('nginx:2'), quiet);
      await settled(
        api,
        `${deployments(api)}/web`,
        (live) => isRolledOut(live) && live.status.observedGeneration === changed.metadata.generation,
      );
      await api.get(`${deployments(api)}/web`, { only: ['metadata.annotations'] });
    },
  },
);
