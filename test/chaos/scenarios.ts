import { isDeepStrictEqual } from 'node:util';
import * as cloudManager from '@kubewright/example-cloud-manager';
import * as cronJob from '@kubewright/example-cron-job';
import * as database from '@kubewright/example-database';
import * as dnsZone from '@kubewright/example-dns-zone';
import * as ecsBinding from '@kubewright/example-ecs-binding';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { declarationsScenario } from './random-declarations.js';
import { MemoryDns } from './memory-dns.js';
import { programScenarios } from './program-scenarios.js';
import type { Json, StoredObject, ResourcePath, Scenario } from './scenario.js';

/** Returns the images that a StatefulSet has had, oldest first. */
function imagesOf(revisions: readonly StoredObject[]): readonly (string | undefined)[] {
  const inOrder = revisions as readonly (StoredObject & { readonly revision: number; readonly data: unknown })[];
  return inOrder
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ data }) => /mariadb:([\d.]+)/.exec(JSON.stringify(data))?.[1]);
}

/** The fields that a user edits. */
interface CloudManagerParts {
  readonly front: { readonly deployment: { readonly name: string; readonly image: string } };
  readonly identity: { readonly deployment: { readonly name: string } };
}
interface CronJobStatus {
  readonly conditions?: readonly { readonly observedGeneration?: number }[];
  readonly active?: readonly object[];
  readonly lastScheduleTime?: string;
}

const dns = new MemoryDns();

/** The operators of the examples. */
export const operators: readonly Scenario[] = [
  {
    name: 'virtual-machine',
    controllers: virtualMachine.controllers,
    kinds: virtualMachine.kinds,
    samples: virtualMachine.samples,
    resource: 'cloud.waibizi.com/v1/virtualmachines',
    children: '/v1/services',
    made: ['/v1/pods', '/v1/services'],
    edit: (spec) => ({ ...spec, image: `${String(spec.image)}-updated`, memory: 512 }),
    isConverged: (vm, childrenOf) => {
      const pods = childrenOf(vm.metadata.uid, '/v1/pods');
      const image = (pods[0]?.spec as { containers?: readonly { image?: string }[] } | undefined)?.containers?.[0]
        ?.image;
      return (
        (vm.status as Json | undefined)?.phase === 'Complete' &&
        pods.length === 1 &&
        image === (vm.spec as Json).image &&
        childrenOf(vm.metadata.uid, '/v1/services').length === 1
      );
    },
  },
  {
    name: 'foo',
    controllers: foo.controllers,
    kinds: foo.kinds,
    samples: foo.samples,
    resource: 'samplecontroller.k8s.io/v1alpha1/foos',
    children: 'apps/v1/deployments',
    made: ['apps/v1/deployments', 'apps/v1/replicasets', '/v1/pods'],
    edit: (spec) => ({ ...spec, replicas: ((spec.replicas as number | undefined) ?? 1) + 2 }),
    isConverged: (object, childrenOf) => {
      const { replicas = 1 } = object.spec as { replicas?: number };
      const deployments = childrenOf(object.metadata.uid, 'apps/v1/deployments');
      const sets = deployments.flatMap(({ metadata }) => childrenOf(metadata.uid, 'apps/v1/replicasets'));
      // A Deployment scales its old ReplicaSets to zero and keeps them.
      const scaled = sets.filter(({ spec }) => (spec as { readonly replicas?: number }).replicas !== 0);
      const pods = sets.flatMap(({ metadata }) => childrenOf(metadata.uid, '/v1/pods'));
      return (
        (object.status as Json | undefined)?.availableReplicas === replicas &&
        deployments.length === 1 &&
        scaled.length === 1 &&
        pods.length === replicas
      );
    },
  },
  {
    name: 'database',
    controllers: database.controllers,
    kinds: database.kinds,
    samples: ['shop', 'blog'].map(
      (name) =>
        new database.Database({
          metadata: { name, namespace: 'default' },
          spec: { version: '10.6', backup: { schedule: '0 0 1 7 *' } },
        }),
    ),
    resource: 'db.example.com/v1/databases',
    children: '/v1/services',
    made: [
      'apps/v1/statefulsets',
      'apps/v1/controllerrevisions',
      '/v1/services',
      '/v1/secrets',
      'batch/v1/cronjobs',
      'batch/v1/jobs',
      '/v1/pods',
    ],
    edit: (spec) => ({ ...spec, version: spec.version === '10.6' ? '11.4' : '11.8' }),
    isConverged: (db, childrenOf) => {
      const { version } = db.spec as { readonly version: database.Version };
      const servers = childrenOf(db.metadata.uid, 'apps/v1/statefulsets');
      const ran = imagesOf(servers.flatMap(({ metadata }) => childrenOf(metadata.uid, 'apps/v1/controllerrevisions')));
      const end = database.versions.indexOf(version) + 1;
      return (
        database.isConverged(db as never) &&
        isDeepStrictEqual(ran, database.versions.slice(end - ran.length, end)) &&
        ['apps/v1/statefulsets', '/v1/services', '/v1/secrets', 'batch/v1/cronjobs'].every(
          (resource) => childrenOf(db.metadata.uid, resource as ResourcePath).length === 1,
        )
      );
    },
  },
  {
    name: 'cloud-manager',
    controllers: cloudManager.controllers,
    kinds: cloudManager.kinds,
    samples: cloudManager.samples,
    prepared: cloudManager.prepared.map((object) => ({ object, resource: 'storage.k8s.io/v1/storageclasses' })),
    resource: 'cloudmanagercontroller.huayun.com/v1/cloudmanagers',
    children: 'apps/v1/deployments',
    made: [
      'apps/v1/deployments',
      'apps/v1/replicasets',
      'apps/v1/statefulsets',
      'apps/v1/controllerrevisions',
      '/v1/secrets',
      '/v1/services',
      '/v1/persistentvolumeclaims',
      '/v1/pods',
    ],
    edit: (spec) => {
      const { front, identity } = spec as Json & CloudManagerParts;
      return {
        ...spec,
        front: { deployment: { ...front.deployment, image: `${front.deployment.image}-updated` } },
        identity: { deployment: { ...identity.deployment, name: `${identity.deployment.name}-renamed` } },
      };
    },
    isConverged: (cm, childrenOf) => {
      const { front, identity } = cm.spec as CloudManagerParts;
      const deployments = childrenOf(cm.metadata.uid, 'apps/v1/deployments');
      const names = deployments.map(({ metadata }) => metadata.name).toSorted();
      return (
        cloudManager.isConverged(cm as never) &&
        isDeepStrictEqual(names, [front.deployment.name, identity.deployment.name].toSorted()) &&
        deployments.some(({ spec }) => JSON.stringify(spec).includes(`"${front.deployment.image}"`)) &&
        childrenOf(cm.metadata.uid, 'apps/v1/statefulsets').length === 1 &&
        childrenOf(cm.metadata.uid, '/v1/secrets').length === 1 &&
        childrenOf(cm.metadata.uid, '/v1/services').length === 1 &&
        childrenOf(cm.metadata.uid, '/v1/persistentvolumeclaims').length === 1
      );
    },
  },
  {
    name: 'ecs-binding',
    controllers: ecsBinding.controllers,
    kinds: ecsBinding.kinds,
    samples: ecsBinding.samples,
    resource: 'hopegi.com/v1/ecsbinding',
    // The operator creates no children.
    children: '/v1/pods',
    made: [],
    edit: (spec) => ({ ...spec, nodename: `${String(spec.nodename)}-moved` }),
    isConverged: (binding) => ecsBinding.isConverged(binding as never),
  },
  {
    name: 'cron-job',
    controllers: cronJob.controllers,
    // Without its webhooks, the operator serves only one version.
    kinds: [cronJob.CronJob],
    samples: cronJob.samples.map(({ metadata, spec }) => {
      const { name, namespace } = metadata;
      return new cronJob.CronJob({ metadata: { name, namespace }, spec: { ...spec, schedule: '*/5 * * * *' } });
    }),
    resource: 'batch.tutorial.kubebuilder.io/v1/cronjobs',
    children: 'batch/v1/jobs',
    made: ['batch/v1/jobs', '/v1/pods'],
    // Suspends the CronJob, so that nothing is written after its runs have ended.
    edit: (spec) => ({ ...spec, suspend: true, successfulJobsHistoryLimit: 0 }),
    isConverged: (object, childrenOf) => {
      const { successfulJobsHistoryLimit: kept } = object.spec as { readonly successfulJobsHistoryLimit: number };
      const { active = [], lastScheduleTime, conditions } = (object.status ?? {}) as CronJobStatus;
      const jobs = childrenOf(object.metadata.uid, 'batch/v1/jobs');
      const runs = jobs.map(({ metadata }) => Number(metadata.name.split('-').at(-1)));
      return (
        // No other field shows that the operator processed an edit.
        conditions?.[0]?.observedGeneration === object.metadata.generation &&
        active.length === 0 &&
        jobs.length <= kept &&
        (lastScheduleTime === undefined ? Number.NEGATIVE_INFINITY : Date.parse(lastScheduleTime) / 1000) ===
          Math.max(...runs)
      );
    },
  },
  {
    name: 'dns-zone',
    controllers: dnsZone.controllers,
    kinds: dnsZone.kinds,
    samples: dnsZone.samples,
    external: dns,
    resource: 'dns.example.com/v1/dnszones',
    // The operator creates no children.
    children: '/v1/pods',
    made: [],
    edit: (spec) => {
      const records = spec.records as readonly object[];
      const another = { name: `more-${records.length}`, type: 'A', values: ['192.0.2.2'], ttlSeconds: 60 };
      return { ...spec, records: [...records, another] };
    },
    isConverged: (zone) => {
      const { domain, records } = zone.spec as { readonly domain: string; readonly records: unknown };
      // Objects in the store of the server have no prototype; a clone has a prototype.
      return dnsZone.isConverged(zone as never) && isDeepStrictEqual(dns.recordsOf(domain), structuredClone(records));
    },
  },
];

/** The other programs of the examples that run until they are stopped. */
export const programs: readonly Scenario[] = programScenarios((name) => named(operators, name));

/** Two controllers of one kind, with random declarations for each seed. */
export const declarations: Scenario = { ...declarationsScenario(0), forSeed: declarationsScenario };

export const scenarios: readonly Scenario[] = [...operators, ...programs, declarations];

/**
 * Returns the scenario for a seed. Consecutive seeds select consecutive names.
 * @param names names of scenarios; by default, the names of the operators
 */
export function scenarioOf(seed: number, names: readonly string[] = operators.map(({ name }) => name)): Scenario {
  return scenarioNamed(names[seed % names.length] ?? '');
}

export function scenarioNamed(name: string): Scenario {
  return named(scenarios, name);
}

function named(among: readonly Scenario[], name: string): Scenario {
  const scenario = among.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`unknown scenario ${name}`);
  return scenario;
}
