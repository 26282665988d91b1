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
    'a Deployment is filled in': async (api) => {
      await api.post(deployments(api) + dry, { metadata, spec: podsOf() });
    },
    'a Deployment that recreates has no rolling update': async (api) => {
      await api.post(deployments(api) + dry, { metadata, spec: podsOf({ strategy: { type: 'Recreate' } }) }, spec);
    },
    'a Deployment without anything is refused': async (api) => {
      await api.post(deployments(api), { metadata });
      await api.post(deployments(api), {});
    },
    'a Deployment with an empty selector is refused': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ selector: {} }) });
    },
    'a Deployment whose template the selector does not choose is refused': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ selector: { matchLabels: { app: 'b' } } }) });
      await api.post(deployments(api), {
        metadata,
        spec: podsOf({ template: { spec: { containers: [{ name: 'a', image: 'b' }] } } }),
      });
    },
    'a Deployment with a selector that cannot be read is refused': async (api) => {
      const of = (expression: object): object => podsOf({ selector: { matchExpressions: [expression] } });
      await api.post(deployments(api), { metadata, spec: of({ key: 'app', operator: 'Near', values: ['a'] }) });
      await api.post(deployments(api), { metadata, spec: of({ key: 'app', operator: 'In' }) });
      await api.post(deployments(api), { metadata, spec: of({ key: 'app', operator: 'Exists', values: ['a'] }) });
      await api.post(deployments(api), { metadata, spec: of({ key: 'a b', operator: 'Exists' }) });
    },
    'a Deployment with labels that are none is refused': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ selector: { matchLabels: { app: 'a b' } } }) });
    },
    'a Deployment with negative numbers is refused': async (api) => {
      const numbers = { replicas: -1, minReadySeconds: -2, revisionHistoryLimit: -3, progressDeadlineSeconds: -4 };
      await api.post(deployments(api), { metadata, spec: podsOf(numbers) });
    },
    'a Deployment has to be given longer than its Pods have to be ready': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ minReadySeconds: 600 }) });
    },
    'a Deployment of an unknown strategy is refused': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ strategy: { type: 'Slow' } }) });
      const rollingUpdate = { maxSurge: 1 };
      await api.post(deployments(api), { metadata, spec: podsOf({ strategy: { type: 'Recreate', rollingUpdate } }) });
    },
    'a Deployment that could never roll out is refused': async (api) => {
      const of = (rollingUpdate: object): object => ({ metadata, spec: podsOf({ strategy: { rollingUpdate } }) });
      await api.post(deployments(api), of({ maxSurge: 0, maxUnavailable: 0 }));
      await api.post(deployments(api), of({ maxSurge: '0%', maxUnavailable: '0%' }));
      await api.post(deployments(api), of({ maxSurge: 'lots', maxUnavailable: '101%' }));
      await api.post(deployments(api), of({ maxSurge: -1, maxUnavailable: '-5%' }));
    },
    'a Deployment of Pods that come to an end is refused': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ template: template({ restartPolicy: 'Never' }) }) });
      await api.post(deployments(api), {
        metadata,
        spec: podsOf({ template: template({ activeDeadlineSeconds: 5 }) }),
      });
    },
    'a Deployment whose name no Pod can have is warned about': async (api) => {
      await api.post(
        deployments(api) + dry,
        { metadata: { name: 'a.b' }, spec: podsOf() },
        { only: ['metadata.name'] },
      );
    },
    'the selector of a Deployment never changes': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await api.put(`${deployments(api)}/a`, {
        metadata,
        spec: podsOf({ replicas: 0, selector: { matchLabels: { app: 'b' } }, template: template({}, { app: 'b' }) }),
      });
    },
    'the generation of a Deployment counts changes of its spec and its annotations': async (api) => {
      const generation = { only: ['metadata.generation'] };
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0, paused: true }) }, generation);
      await api.patch(`${deployments(api)}/a`, { metadata: { labels: { b: 'c' } } }, generation);
      await api.patch(`${deployments(api)}/a`, { metadata: { annotations: { b: 'c' } } }, generation);
      await api.patch(`${deployments(api)}/a`, { spec: { revisionHistoryLimit: 3 } }, generation);
    },
    'the status of a Deployment is written through its subresource only': async (api) => {
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
    'a Deployment is scaled': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0, paused: true }) }, { quiet: true });
      await api.patch(`${deployments(api)}/a/scale`, { spec: { replicas: -1 } });
      await api.patch(
        `${deployments(api)}/a/scale`,
        { spec: { replicas: 0 } },
        { only: ['apiVersion', 'kind', 'spec', 'status.selector'] },
      );
    },
    'Deployments as a table': async (api) => {
      await api.post(deployments(api), { metadata, spec: podsOf({ replicas: 0, paused: true }) }, { quiet: true });
      await compareCells(api, `${deployments(api)}/a`);
    },
    'Deployments cannot be selected by their replicas': async (api) => {
      await api.get(`${deployments(api)}?fieldSelector=spec.replicas%3D1`);
    },
    'a ReplicaSet is filled in': async (api) => {
      await api.post(replicaSets(api) + dry, { metadata, spec: podsOf() });
    },
    'a ReplicaSet without anything is refused': async (api) => {
      await api.post(replicaSets(api), { metadata });
      await api.post(replicaSets(api), { metadata, spec: podsOf({ selector: {}, replicas: -1, minReadySeconds: -1 }) });
      await api.post(replicaSets(api), {
        metadata,
        spec: podsOf({ template: template({ restartPolicy: 'OnFailure' }) }),
      });
    },
    'the selector of a ReplicaSet never changes': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      const next = { replicas: 0, selector: { matchLabels: { app: 'b' } }, template: template({}, { app: 'b' }) };
      await api.put(`${replicaSets(api)}/a`, { metadata, spec: podsOf(next) });
    },
    'a ReplicaSet reports no more ready Pods than Pods': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      const status = { replicas: 1, readyReplicas: 2, fullyLabeledReplicas: 3, availableReplicas: 4 };
      await api.patch(`${replicaSets(api)}/a/status`, { status });
      await api.patch(`${replicaSets(api)}/a/status`, { status: { replicas: -1 } });
    },
    'ReplicaSets cannot be selected by their replicas': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await api.get(`${replicaSets(api)}?fieldSelector=status.replicas%3D0`);
      await api.get(`${replicaSets(api)}?fieldSelector=spec.replicas%3D1`);
    },
    'ReplicaSets as a table': async (api) => {
      await api.post(replicaSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await compareCells(api, `${replicaSets(api)}/a`);
    },
    'a StatefulSet is filled in': async (api) => {
      await api.post(statefulSets(api) + dry, { metadata, spec: podsOf({ serviceName: 'a' }) });
    },
    'the claims of a StatefulSet are filled in': async (api) => {
      const claim = {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
      };
      await api.post(statefulSets(api) + dry, { metadata, spec: podsOf({ volumeClaimTemplates: [claim] }) }, spec);
    },
    'a StatefulSet without anything is refused': async (api) => {
      await api.post(statefulSets(api), { metadata });
      await api.post(statefulSets(api), { metadata, spec: podsOf({ selector: {} }) });
    },
    'a StatefulSet is named like a host': async (api) => {
      await api.post(statefulSets(api), { metadata: { name: 'a.b' }, spec: podsOf() });
      await api.post(statefulSets(api), { metadata, spec: podsOf({ serviceName: 'A_b' }) });
    },
    'a StatefulSet with what is unknown is refused': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ podManagementPolicy: 'Wild' }) });
      await api.post(statefulSets(api), { metadata, spec: podsOf({ updateStrategy: { type: 'Slow' } }) });
      const policy = { whenDeleted: 'Burn', whenScaled: 'Burn' };
      await api.post(statefulSets(api), { metadata, spec: podsOf({ persistentVolumeClaimRetentionPolicy: policy }) });
    },
    'a StatefulSet that is updated by hand has no rolling update': async (api) => {
      await api.post(
        statefulSets(api) + dry,
        { metadata, spec: podsOf({ updateStrategy: { type: 'OnDelete' } }) },
        spec,
      );
      const updateStrategy = { type: 'OnDelete', rollingUpdate: { partition: 1 } };
      await api.post(statefulSets(api), { metadata, spec: podsOf({ updateStrategy }) });
    },
    'a StatefulSet with negative numbers is refused': async (api) => {
      const numbers = { replicas: -1, minReadySeconds: -2, ordinals: { start: -3 } };
      await api.post(statefulSets(api), { metadata, spec: podsOf(numbers) });
      await api.post(statefulSets(api), {
        metadata,
        spec: podsOf({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
      });
    },
    'a negative revision limit of a StatefulSet is warned about': async (api) => {
      await api.post(
        statefulSets(api) + dry,
        { metadata, spec: podsOf({ revisionHistoryLimit: -1 }) },
        { only: ['spec.revisionHistoryLimit'] },
      );
    },
    'a StatefulSet of Pods that come to an end is refused': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ template: template({ restartPolicy: 'Never' }) }) });
      await api.post(statefulSets(api), {
        metadata,
        spec: podsOf({ template: template({ activeDeadlineSeconds: 5 }) }),
      });
    },
    'little of a StatefulSet changes': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0, serviceName: 'a' }) }, { quiet: true });
      await api.patch(`${statefulSets(api)}/a`, { spec: { serviceName: 'b' } });
      await api.patch(`${statefulSets(api)}/a`, { spec: { podManagementPolicy: 'Parallel' } });
      await api.patch(
        `${statefulSets(api)}/a`,
        { spec: { minReadySeconds: 3, revisionHistoryLimit: 2 } },
        { only: ['spec', 'metadata.generation'] },
      );
    },
    'a StatefulSet reports no more ready Pods than Pods': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      const status = { replicas: 1, readyReplicas: 2, currentReplicas: 3, updatedReplicas: 4, availableReplicas: 5 };
      await api.patch(`${statefulSets(api)}/a/status`, { status });
    },
    'a StatefulSet is scaled': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await api.get(`${statefulSets(api)}/a/scale`, { only: ['apiVersion', 'kind', 'spec', 'status'] });
      await api.patch(`${statefulSets(api)}/a/scale`, { spec: { replicas: -1 } });
    },
    'StatefulSets as a table': async (api) => {
      await api.post(statefulSets(api), { metadata, spec: podsOf({ replicas: 0 }) }, { quiet: true });
      await compareCells(api, `${statefulSets(api)}/a`);
    },
    'a DaemonSet is filled in': async (api) => {
      await api.post(daemonSets(api) + dry, { metadata, spec: podsOf() });
      await api.post(daemonSets(api) + dry, { metadata, spec: podsOf({ updateStrategy: { type: 'OnDelete' } }) }, spec);
    },
    'a DaemonSet without anything is refused': async (api) => {
      await api.post(daemonSets(api), { metadata });
      await api.post(daemonSets(api), { metadata, spec: podsOf({ selector: {} }) });
      await api.post(daemonSets(api), { metadata, spec: podsOf({ selector: { matchLabels: { app: 'b' } } }) });
    },
    'a DaemonSet with what is unknown is refused': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ updateStrategy: { type: 'Slow' } }) });
      await api.post(daemonSets(api), { metadata, spec: podsOf({ minReadySeconds: -1, revisionHistoryLimit: -1 }) });
      await api.post(daemonSets(api), {
        metadata,
        spec: podsOf({ template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 5 }) }),
      });
    },
    'a DaemonSet replaces or adds, not both': async (api) => {
      const of = (rollingUpdate: object): object => ({ metadata, spec: podsOf({ updateStrategy: { rollingUpdate } }) });
      await api.post(daemonSets(api), of({ maxUnavailable: 1, maxSurge: 1 }));
      await api.post(daemonSets(api), of({ maxUnavailable: 0 }));
      await api.post(daemonSets(api), of({ maxUnavailable: '200%' }));
    },
    'a DaemonSet counts its templates in an annotation': async (api) => {
      const counted = { only: ['metadata.generation', 'metadata.annotations'] };
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, counted);
      await api.patch(`${daemonSets(api)}/a`, { spec: { minReadySeconds: 2 } }, counted);
      await api.patch(`${daemonSets(api)}/a`, { spec: { template: { spec: { hostNetwork: true } } } }, counted);
      await api.patch(`${daemonSets(api)}/a`, { metadata: { annotations: null } }, counted);
    },
    'the selector of a DaemonSet never changes': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, { quiet: true });
      const next = { selector: { matchLabels: { app: 'b' } }, template: template(nowhere, { app: 'b' }) };
      await api.put(`${daemonSets(api)}/a`, { metadata, spec: podsOf(next) });
    },
    'a DaemonSet reports no negative counts': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, { quiet: true });
      await api.patch(`${daemonSets(api)}/a/status`, { status: { numberReady: -1, numberAvailable: -2 } });
    },
    'DaemonSets as a table': async (api) => {
      await api.post(daemonSets(api), { metadata, spec: podsOf({ template: template(nowhere) }) }, { quiet: true });
      await compareCells(api, `${daemonSets(api)}/a`);
    },
    'a DaemonSet has no scale': async (api) => {
      await api.get(`${daemonSets(api)}/a/scale`);
    },
    'a ControllerRevision keeps any data for good': async (api) => {
      await api.post(
        revisions(api),
        { metadata, data: { a: [1, { b: null }] }, revision: 2 },
        { only: ['data', 'revision'] },
      );
      await api.patch(`${revisions(api)}/a`, { data: { a: 'b' } });
      await api.patch(`${revisions(api)}/a`, { revision: 3 }, { only: ['revision'] });
      await compareCells(api, `${revisions(api)}/a`);
    },
    'a ControllerRevision without data is refused': async (api) => {
      await api.post(revisions(api), { metadata, revision: -1 });
      await api.post(revisions(api), { metadata, data: 'text', revision: 1 });
      await api.post(revisions(api), { metadata, data: null, revision: 1 });
    },
  },
);
