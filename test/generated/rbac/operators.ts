import assert from 'node:assert/strict';
import { defineKind, type KindRef, type KubeObject } from '@kubewright/api';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { Job } from '@kubewright/api/batch/v1';
import { Pod } from '@kubewright/api/core/v1';
import * as cloudManager from '@kubewright/example-cloud-manager';
import * as cronJob from '@kubewright/example-cron-job';
import * as database from '@kubewright/example-database';
import * as dnsZone from '@kubewright/example-dns-zone';
import * as ecsBinding from '@kubewright/example-ecs-binding';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import type { LeaderElectionOptions, Manager } from '@kubewright/runtime';
import type { FakeClock, TestEnvironment } from '@kubewright/testing';
import * as plainMachine from '../../operators/virtual-machine/src/api/v1/virtual-machine.js';
import * as plainController from '../../operators/virtual-machine/src/controllers/virtual-machine-controller.js';
import { DnsInMemory } from './dns-in-memory.js';

/** An operator of the repository, and its work in a test with only the roles derived from its declarations. */
export interface OperatorCase {
  readonly name: string;
  /** The path of the program, relative to the root of the repository. Undefined if the operator has no program. */
  readonly main?: string;
  /** Whether test/examples runs the program as in a deployment, with the roles of its config folder. @default false */
  readonly isDeployed?: boolean;
  readonly kinds: readonly KindRef[];
  readonly workloads?: boolean;
  /** Adds the controllers of the program to a manager. Undefined if the test can run only the program itself. */
  readonly add?: (manager: Manager) => void;
  readonly leaderElection?: LeaderElectionOptions;
  /** Whether the operator uses the clock of the test. @default false */
  readonly fakeClock?: boolean;
  /** Makes the operator do its work. Resolves when the work is complete. */
  readonly exercise: (env: TestEnvironment, clock: FakeClock | undefined) => Promise<void>;
  /** The text of the permissions that `exercise` does not use, with the reason, in addition to the reasons for all operators. */
  readonly unused?: Readonly<Record<string, string>>;
}

const inDefault = (name: string) => ({ name, namespace: 'default' });

const machine = new virtualMachine.kinds[0]!({
  metadata: inDefault('wx'),
  spec: { name: 'wx', image: 'centos-7.9', memory: 1024 },
});
const Machine = defineKind<{ readonly status?: string }>({
  group: 'cloud.waibizi.com',
  version: 'v1',
  kind: 'VirtualMachine',
  spec: { type: 'object', properties: { status: { type: 'string' } } },
});
const [often] = cronJob.samples;
const minutely = new cronJob.CronJob({
  metadata: inDefault('each-minute'),
  spec: { ...often!.spec, schedule: '* * * * *', concurrencyPolicy: 'Replace' },
});

export const OPERATORS: readonly OperatorCase[] = [
  {
    name: 'foo',
    main: 'examples/foo/dist/main.js',
    isDeployed: true,
    kinds: foo.kinds,
    workloads: true,
    leaderElection: { name: 'sample-controller', namespace: 'default' },
    add: (manager) => manager.add(...foo.controllers),
    exercise: async (env) => {
      for (const sample of foo.samples) {
        await env.client.create(sample);
        await env.until(sample, foo.isConverged);
      }
    },
    unused: { 'delete deployments of apps': 'a Foo has exactly one child' },
  },
  {
    name: 'virtual-machine',
    main: 'examples/virtual-machine/dist/main.js',
    isDeployed: true,
    kinds: virtualMachine.kinds,
    workloads: true,
    add: (manager) => manager.add(...virtualMachine.controllers),
    exercise: async (env) => {
      const made = await env.client.create(machine);
      await env.until(made, virtualMachine.isConverged);
      const pod = await env.client.live.get(Pod, inDefault('wx'));
      await env.client.patch(made, (draft) => {
        draft.spec.memory = 2048;
      });
      await env.untilDeleted(pod);
      await env.until(made, virtualMachine.isConverged);
      await env.client.delete(made);
      await env.untilDeleted(made);
    },
  },
  {
    name: 'virtual-machine without decorators',
    main: 'examples/virtual-machine/dist/plain.js',
    kinds: virtualMachine.kinds,
    workloads: true,
    exercise: async (env) => {
      const made = await env.client.create(machine);
      await env.until(made, virtualMachine.isConverged);
    },
  },
  {
    name: 'virtual-machine by kind name',
    main: 'test/dist/operators/virtual-machine/src/dynamic.js',
    kinds: [Machine],
    exercise: async (env) => {
      const made = await env.client.create(new Machine({ metadata: inDefault('m'), spec: { status: 'creating' } }));
      await env.until(made, ({ spec }) => spec.status === 'complete');
    },
  },
  {
    name: 'cloud-manager',
    main: 'examples/cloud-manager/dist/main.js',
    isDeployed: true,
    kinds: cloudManager.kinds,
    workloads: true,
    leaderElection: { name: 'cm-operator', namespace: 'default' },
    add: (manager) => manager.add(...cloudManager.controllers),
    exercise: async (env) => {
      for (const object of cloudManager.prepared) await env.client.create(object);
      const [sample] = cloudManager.samples;
      const made = await env.client.create(sample!);
      await there(env, StatefulSet, 'ake-db');
      const front = await env.client.live.get(Deployment, inDefault('ake-front'));
      await env.client.patch(made, (draft) => {
        draft.spec.front.deployment.name = 'entrance';
      });
      await env.untilDeleted(front);
    },
    unused: {
      'delete secrets': 'the name of the database does not change in this test',
      'delete services': 'the name of the database does not change in this test',
      'delete statefulsets of apps': 'the name of the database does not change in this test',
    },
  },
  {
    name: 'database',
    main: 'examples/database/dist/main.js',
    isDeployed: true,
    kinds: database.kinds,
    workloads: true,
    leaderElection: { name: 'database-operator', namespace: 'default' },
    add: (manager) => manager.add(...database.controllers),
    exercise: async (env) => {
      const [sample] = database.samples;
      const made = await env.client.create(sample!);
      await env.until(made, database.isConverged);
      await env.client.delete(made);
      await env.untilDeleted(made);
    },
  },
  {
    name: 'cron-job',
    main: 'examples/cron-job/dist/main.js',
    isDeployed: true,
    leaderElection: { name: 'cron-operator', namespace: 'default' },
    kinds: cronJob.kinds,
    fakeClock: true,
    add: (manager) => manager.add(...cronJob.controllers, ...cronJob.webhooks),
    exercise: async (env, clock) => {
      const made = await env.client.create(minutely);
      // The server may use its own clock, and the first run starts in the first minute after the creation of the object.
      clock?.setTime(new Date(made.metadata.creationTimestamp));
      await env.settled();
      await clock?.advance('61s');
      const { status } = await env.until(made, ({ status: now }) => now?.active?.[0] !== undefined);
      const first = await env.client.live.get(Job, inDefault(status?.active?.[0]?.name ?? ''));
      await clock?.advance('61s');
      await env.untilDeleted(first);
      await env.until(made, ({ status: now }) => now?.active?.some(({ uid }) => uid !== first.metadata.uid) === true);
      const invalid = new cronJob.CronJob({
        metadata: inDefault('invalid'),
        spec: { ...often!.spec, schedule: '* *' },
      });
      await assert.rejects(env.client.create(invalid), /spec\.schedule: Invalid value: "\* \*": must have five fields/);
      const { spec } = await env.client.live.get(cronJob.CronJobV2, inDefault('each-minute'));
      assert.deepEqual(spec.schedule, {});
    },
  },
  {
    name: 'dns-zone',
    main: 'examples/dns-zone/dist/main.js',
    isDeployed: true,
    kinds: dnsZone.kinds,
    leaderElection: { name: 'dns-operator', namespace: 'default' },
    add: (manager) => manager.provide(dnsZone.DnsApi, { value: new DnsInMemory() }).add(...dnsZone.controllers),
    exercise: async (env) => {
      const zone = new dnsZone.DnsZone({ metadata: { name: 'example' }, spec: { domain: 'example.com' } });
      const made = await env.client.create(zone);
      await env.until(made, ({ status }) => status?.conditions?.some(({ type }) => type === 'Ready') === true);
      await env.client.delete(made);
      await env.untilDeleted(made);
    },
  },
  {
    name: 'ecs-binding',
    main: 'examples/ecs-binding/dist/main.js',
    isDeployed: true,
    kinds: ecsBinding.kinds,
    add: (manager) => manager.add(...ecsBinding.controllers),
    exercise: async (env) => {
      const binding = new ecsBinding.EcsBinding({ metadata: { name: 'ecs-1' }, spec: { nodename: 'node-1' } });
      const made = await env.client.create(binding);
      await env.until(made, ({ metadata }) => metadata.labels?.['cluster'] === 'k8s-cluster');
    },
  },
  {
    name: 'virtual-machine with one controller',
    main: 'test/dist/operators/virtual-machine/src/main.js',
    kinds: [plainMachine.VirtualMachine],
    add: (manager) => manager.add(plainController.VirtualMachineController),
    exercise: async (env) => {
      const spec = { name: 'wx', image: 'centos-7.9', disk: 500 };
      const made = await env.client.create(new plainMachine.VirtualMachine({ metadata: inDefault('wx'), spec }));
      await env.until(made, ({ status }) => status?.phase === 'Complete');
    },
  },
];

/** Resolves when the object exists. Waits up to 30 s. */
async function there<T extends KubeObject>(env: TestEnvironment, kind: KindRef<T>, name: string): Promise<void> {
  await using informer = await env.cluster.cache.informer(kind, { namespace: 'default' });
  await informer.until(inDefault(name), () => true, { timeout: '30s' });
}
