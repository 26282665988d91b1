import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareCells, listOf, podsOf, template } from './workload-bodies.js';

const apps = 'apps/v1';
const deployments = (api: ContractApi): string => listOf(api, apps, 'deployments');
const replicaSets = (api: ContractApi): string => listOf(api, apps, 'replicasets');
const statefulSets = (api: ContractApi): string => listOf(api, apps, 'statefulsets');
const daemonSets = (api: ContractApi): string => listOf(api, apps, 'daemonsets');
const revisions = (api: ContractApi): string => listOf(api, apps, 'controllerrevisions');
const metadata = { name: 'a' };
/** A node selector that no node matches, so that the DaemonSet runs nowhere. */
const nowhere = { nodeSelector: { nowhere: 'at-all' } };
const dry = '?dryRun=All';
const spec = { only: ['spec', 'status', 'metadata.generation', 'metadata.annotations', 'message', 'details'] };

contract(
  'apps',
  {},
  {
    'defaults a Deployment': async (api) => {
      await api.post(deployments(api) + dry, { metadata, spec: podsOf() });
    },
    'does not default rollingUpdate of a Deployment with the strategy Recreate': async (api) => {
      await api.post(deployments(api) + dry, { metadata, spec: podsOf({ strategy: { type: 'Recreate' } }) }, spec);
    },
    'rejects a Deployment without required fields': async (api) => {
      await api.post(deployments(api), { metadata });
      await api.post(deployments(api), {});
    },
    'rejects a Deployment with an empty selector': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ selector: {} }) });
    },
    'rejects a Deployment whose selector does not match its template': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ selector: { matchLabels: { app: 'b' } } }) });
      await api.post(deployments(api), {
        metadata,
        spec: podsOf({ template: { spec: { containers: [{ name: 'a', image: 'b' }] } } }),
      });
    },
    'rejects a Deployment with an invalid selector': async (api) => {
      const of = (expression: object): object => podsOf({ selector: { matchExpressions: [expression] } });
      await api.post(deployments(api), { metadata, spec: of({ key: 'app', operator: 'Near', values: ['a'] }) });
      await api.post(deployments(api), { metadata, spec: of({ key: 'app', operator: 'In' }) });
      await api.post(deployments(api), { metadata, spec: of({ key: 'app', operator: 'Exists', values: ['a'] }) });
      await api.post(deployments(api), { metadata, spec: of({ key: 'a b', operator: 'Exists' }) });
    },
    'rejects a Deployment with invalid labels in its selector': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ selector: { matchLabels: { app: 'a b' } } }) });
    },
    'rejects a Deployment with negative numbers': async (api) => {
      const numbers = { replicas: -1, minReadySeconds: -2, revisionHistoryLimit: -3, progressDeadlineSeconds: -4 };
      await api.post(deployments(api), { metadata, spec: podsOf(numbers) });
    },
    'rejects a Deployment whose progressDeadlineSeconds does not exceed minReadySeconds': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ minReadySeconds: 600 }) });
    },
    'rejects a Deployment with an invalid strategy': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ strategy: { type: 'Slow' } }) });
      const rollingUpdate = { maxSurge: 1 };
      await api.post(deployments(api), { metadata, spec: podsOf({ strategy: { type: 'Recreate', rollingUpdate } }) });
    },
    'rejects a Deployment with an invalid maxSurge or maxUnavailable': async (api) => {
      const of = (rollingUpdate: object): object => ({ metadata, spec: podsOf({ strategy: { rollingUpdate } }) });
      await api.post(deployments(api), of({ maxSurge: 0, maxUnavailable: 0 }));
      await api.post(deployments(api), of({ maxSurge: '0%', maxUnavailable: '0%' }));
      await api.post(deployments(api), of({ maxSurge: 'lots', maxUnavailable: '101%' }));
      await api.post(deployments(api), of({ maxSurge: -1, maxUnavailable: '-5%' }));
    },
    'rejects a Deployment with a restartPolicy other than Always': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ template: template({ restartPolicy: 'Never' }) }) });
      await api.post(deployments(api), {
        metadata,
        spec: podsOf({ template: template({ activeDeadlineSeconds: 5 }) }),
      });
    },
    'warns about a Deployment name that is not a valid hostname': async (api) => {
      await api.post(
        deployments(api) + dry,
        { metadata: { name: 'a.b' }, spec: podsOf() },
        { only: ['metadata.name'] },
      );
    },
    'rejects a change of the selector of a Deployment': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await api.put(`${deployments(api)}/a`, {
        metadata,
        spec: podsOf({ replicas: 0, selector: { matchLabels: { app: 'b' } }, template: template({}, { app: 'b' }) }),
      });
    },
    'increments the generation of a Deployment for changes of its spec and annotations': async (api) => {
      const generation = { only: ['metadata.generation'] };
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0, paused: true }) }, generation);
      await api.patch(`${deployments(api)}/a`, { metadata: { labels: { b: 'c' } } }, generation);
      await api.patch(`${deployments(api)}/a`, { metadata: { annotations: { b: 'c' } } }, generation);
      await api.patch(`${deployments(api)}/a`, { spec: { revisionHistoryLimit: 3 } }, generation);
    },
    'changes the status of a Deployment only through the status subresource': async (api) => {
      await api.post(
        `${deployments(api)}${dry}`,
        { metadata, spec: podsOf(), status: { replicas: 3 } },
        { only: ['status'] },
      );
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0, paused: true }) }, { quiet: true });
      const status = {
        replicas: 1,
        readyReplicas: 2,
        updatedReplicas: 3,
        availableReplicas: 4,
        unavailableReplicas: -1,
      };
      await api.patch(`${deployments(api)}/a/status`, { status });
    },
    'scales a Deployment': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0, paused: true }) }, { quiet: true });
      await api.patch(`${deployments(api)}/a/scale`, { spec: { replicas: -1 } });
      await api.patch(
        `${deployments(api)}/a/scale`,
        { spec: { replicas: 0 } },
        { only: ['apiVersion', 'kind', 'spec', 'status.selector'] },
      );
    },
    'returns Deployments as a table': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0, paused: true }) }, { quiet: true });
      await compareCells(api, `${deployments(api)}/a`);
    },
    'rejects a field selector on the replicas of Deployments': async (api) => {
      await api.get(`${deployments(api)}?fieldSelector=spec.replicas%3D1`);
    },
    'defaults a ReplicaSet': async (api) => {
      await api.post(replicaSets(api) + dry, { metadata, spec: podsOf() });
    },
    'rejects a ReplicaSet without required fields': async (api) => {
      await api.post(replicaSets(api), { metadata });
      await api.post(replicaSets(api), { metadata, spec: podsOf({ selector: {}, replicas: -1, minReadySeconds: -1 }) });
      await api.post(replicaSets(api), {
        metadata,
        spec: podsOf({ template: template({ restartPolicy: 'OnFailure' }) }),
      });
    },
    'rejects a change of the selector of a ReplicaSet': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      const next = { replicas: 0, selector: { matchLabels: { app: 'b' } }, template: template({}, { app: 'b' }) };
      await api.put(`${replicaSets(api)}/a`, { metadata, spec: podsOf(next) });
    },
    'rejects a ReplicaSet status with more ready Pods than Pods': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      const status = { replicas: 1, readyReplicas: 2, fullyLabeledReplicas: 3, availableReplicas: 4 };
      await api.patch(`${replicaSets(api)}/a/status`, { status });
      await api.patch(`${replicaSets(api)}/a/status`, { status: { replicas: -1 } });
    },
    'rejects a field selector on the replicas of ReplicaSets': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await api.get(`${replicaSets(api)}?fieldSelector=status.replicas%3D0`);
      await api.get(`${replicaSets(api)}?fieldSelector=spec.replicas%3D1`);
    },
    'returns ReplicaSets as a table': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await compareCells(api, `${replicaSets(api)}/a`);
    },
    'defaults a StatefulSet': async (api) => {
      await api.post(statefulSets(api) + dry, { metadata, spec: podsOf({ serviceName: 'a' }) });
    },
    'defaults the volumeClaimTemplates of a StatefulSet': async (api) => {
      const claim = {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
      };
      await api.post(statefulSets(api) + dry, { metadata, spec: podsOf({ volumeClaimTemplates: [claim] }) }, spec);
    },
    'rejects a StatefulSet without required fields': async (api) => {
      await api.post(statefulSets(api), { metadata });
      await api.post(statefulSets(api), { metadata, spec: podsOf({ selector: {} }) });
    },
    'rejects a StatefulSet whose name or serviceName is not a DNS label': async (api) => {
      await api.post(statefulSets(api), { metadata: { name: 'a.b' }, spec: podsOf() });
      await api.post(statefulSets(api), { metadata, spec: podsOf({ serviceName: 'A_b' }) });
    },
    'rejects a StatefulSet with unknown policies': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ podManagementPolicy: 'Wild' }) });
      await api.post(statefulSets(api), { metadata, spec: podsOf({ updateStrategy: { type: 'Slow' } }) });
      const policy = { whenDeleted: 'Burn', whenScaled: 'Burn' };
      await api.post(statefulSets(api), { metadata, spec: podsOf({ persistentVolumeClaimRetentionPolicy: policy }) });
    },
    'rejects rollingUpdate in a StatefulSet with the strategy OnDelete': async (api) => {
      await api.post(
        statefulSets(api) + dry,
        { metadata, spec: podsOf({ updateStrategy: { type: 'OnDelete' } }) },
        spec,
      );
      const updateStrategy = { type: 'OnDelete', rollingUpdate: { partition: 1 } };
      await api.post(statefulSets(api), { metadata, spec: podsOf({ updateStrategy }) });
    },
    'rejects a StatefulSet with negative numbers': async (api) => {
      const numbers = { replicas: -1, minReadySeconds: -2, ordinals: { start: -3 } };
      await api.post(statefulSets(api), { metadata, spec: podsOf(numbers) });
      await api.post(statefulSets(api), {
        metadata,
        spec: podsOf({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
      });
    },
    'warns about a negative revisionHistoryLimit of a StatefulSet': async (api) => {
      await api.post(
        statefulSets(api) + dry,
        { metadata, spec: podsOf({ revisionHistoryLimit: -1 }) },
        { only: ['spec.revisionHistoryLimit'] },
      );
    },
    'rejects a StatefulSet with a restartPolicy other than Always': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ template: template({ restartPolicy: 'Never' }) }) });
      await api.post(statefulSets(api), {
        metadata,
        spec: podsOf({ template: template({ activeDeadlineSeconds: 5 }) }),
      });
    },
    'rejects changes of immutable fields of a StatefulSet': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0, serviceName: 'a' }) }, { quiet: true });
      await api.patch(`${statefulSets(api)}/a`, { spec: { serviceName: 'b' } });
      await api.patch(`${statefulSets(api)}/a`, { spec: { podManagementPolicy: 'Parallel' } });
      await api.patch(
        `${statefulSets(api)}/a`,
        { spec: { minReadySeconds: 3, revisionHistoryLimit: 2 } },
        { only: ['spec', 'metadata.generation'] },
      );
    },
    'rejects a StatefulSet status with more ready Pods than Pods': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      const status = { replicas: 1, readyReplicas: 2, currentReplicas: 3, updatedReplicas: 4, availableReplicas: 5 };
      await api.patch(`${statefulSets(api)}/a/status`, { status });
    },
    'scales a StatefulSet': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await api.get(`${statefulSets(api)}/a/scale`, { only: ['apiVersion', 'kind', 'spec', 'status'] });
      await api.patch(`${statefulSets(api)}/a/scale`, { spec: { replicas: -1 } });
    },
    'returns StatefulSets as a table': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await compareCells(api, `${statefulSets(api)}/a`);
    },
    'defaults a DaemonSet': async (api) => {
      await api.post(daemonSets(api) + dry, { metadata, spec: podsOf() });
      await api.post(daemonSets(api) + dry, { metadata, spec: podsOf({ updateStrategy: { type: 'OnDelete' } }) }, spec);
    },
    'rejects a DaemonSet without required fields': async (api) => {
      await api.post(daemonSets(api), { metadata });
      await api.post(daemonSets(api), { metadata, spec: podsOf({ selector: {} }) });
      await api.post(daemonSets(api), { metadata, spec: podsOf({ selector: { matchLabels: { app: 'b' } } }) });
    },
    'rejects a DaemonSet with an unknown strategy or invalid numbers': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ updateStrategy: { type: 'Slow' } }) });
      await api.post(daemonSets(api), { metadata, spec: podsOf({ minReadySeconds: -1, revisionHistoryLimit: -1 }) });
      await api.post(daemonSets(api), {
        metadata,
        spec: podsOf({ template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 5 }) }),
      });
    },
    'rejects a DaemonSet with both maxSurge and maxUnavailable, or with neither': async (api) => {
      const of = (rollingUpdate: object): object => ({ metadata, spec: podsOf({ updateStrategy: { rollingUpdate } }) });
      await api.post(daemonSets(api), of({ maxUnavailable: 1, maxSurge: 1 }));
      await api.post(daemonSets(api), of({ maxUnavailable: 0 }));
      await api.post(daemonSets(api), of({ maxUnavailable: '200%' }));
    },
    'counts template changes of a DaemonSet in an annotation': async (api) => {
      const counted = { only: ['metadata.generation', 'metadata.annotations'] };
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, counted);
      await api.patch(`${daemonSets(api)}/a`, { spec: { minReadySeconds: 2 } }, counted);
      await api.patch(`${daemonSets(api)}/a`, { spec: { template: { spec: { hostNetwork: true } } } }, counted);
      await api.patch(`${daemonSets(api)}/a`, { metadata: { annotations: null } }, counted);
    },
    'rejects a change of the selector of a DaemonSet': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, { quiet: true });
      const next = { selector: { matchLabels: { app: 'b' } }, template: template(nowhere, { app: 'b' }) };
      await api.put(`${daemonSets(api)}/a`, { metadata, spec: podsOf(next) });
    },
    'rejects a DaemonSet status with negative numbers': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, { quiet: true });
      await api.patch(`${daemonSets(api)}/a/status`, { status: { numberReady: -1, numberAvailable: -2 } });
    },
    'returns DaemonSets as a table': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, { quiet: true });
      await compareCells(api, `${daemonSets(api)}/a`);
    },
    'returns 404 for the scale of a DaemonSet': async (api) => {
      await api.get(`${daemonSets(api)}/a/scale`);
    },
    'accepts any data in a ControllerRevision, and rejects changes of the data': async (api) => {
      await api.post(
        revisions(api),
        { metadata, data: { a: [1, { b: null }] }, revision: 2 },
        { only: ['data', 'revision'] },
      );
      await api.patch(`${revisions(api)}/a`, { data: { a: 'b' } });
      await api.patch(`${revisions(api)}/a`, { revision: 3 }, { only: ['revision'] });
      await compareCells(api, `${revisions(api)}/a`);
    },
    'rejects a ControllerRevision without data': async (api) => {
      await api.post(revisions(api), { metadata, revision: -1 });
      await api.post(revisions(api), { metadata, data: 'text', revision: 1 });
      await api.post(revisions(api), { metadata, data: null, revision: 1 });
    },
  },
);
