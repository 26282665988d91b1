import { defineKind, type KindRef, type KubeObject } from '@kubewright/api';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { Job } from '@kubewright/api/batch/v1';
import { Pod } from '@kubewright/api/core/v1';
import * as cloudManager from '@kubewright/example-cloud-manager';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import type { LeaderElectionOptions, Manager } from '@kubewright/runtime';
import type { FakeClock, TestEnvironment } from '@kubewright/testing';
import { CronJob } from '../../operators/cron-job/src/api/v1/cron-job.js';
import { CronJobController } from '../../operators/cron-job/src/controllers/cron-job-controller.js';
import { DnsZone } from '../../operators/dns-zone/src/api/v1/dns-zone.js';
import { DnsZoneController } from '../../operators/dns-zone/src/controllers/dns-zone-controller.js';
import { DnsApi } from '../../operators/dns-zone/src/dns-api.js';
import { EcsBinding } from '../../operators/ecs-binding/src/api/v1/ecs-binding.js';
import { EcsBindingController } from '../../operators/ecs-binding/src/controllers/ecs-binding-controller.js';
import * as plainMachine from '../../operators/virtual-machine/src/api/v1/virtual-machine.js';
import * as plainController from '../../operators/virtual-machine/src/controllers/virtual-machine-controller.js';
import { DnsInMemory } from './dns-in-memory.js';

/** An operator of the repository, and what it is to do under nothing but the roles that follow from what it declares. */
export interface OperatorCase {
  readonly name: string;
  /** The program, by its path in the repository; undefined where there is none. */
  readonly main?: string;
  /** Whether the program runs without anything but a cluster. @default true */
  readonly standsAlone?: boolean;
  readonly kinds: readonly KindRef[];
  readonly workloads?: boolean;
  /** Adds what the program adds; undefined where only the program itself can be run. */
  readonly add?: (manager: Manager) => void;
  readonly leaderElection?: LeaderElectionOptions;
  /** Whether its time is that of the test. */
  readonly fakeClock?: boolean;
  /** Has it do what it is for; resolves when it has. */
  readonly exercise: (env: TestEnvironment, clock: FakeClock | undefined) => Promise<void>;
  /** What it need not use on that way, with the reason; beside what holds for all. */
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
const template = {
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'hello', image: 'busybox' }] } } },
};
const cron = new CronJob({
  metadata: inDefault('each-minute'),
  spec: { schedule: '* * * * *', concurrencyPolicy: 'Replace', jobTemplate: template },
});

export const OPERATORS: readonly OperatorCase[] = [
  {
    name: 'foo',
    main: 'examples/foo/dist/main.js',
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
    unused: { 'delete deployments of apps': 'a Foo has one child as long as it is there' },
  },
  {
    name: 'virtual-machine',
    main: 'examples/virtual-machine/dist/main.js',
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
      await env.gone(pod);
      await env.until(made, virtualMachine.isConverged);
      await env.client.delete(made);
      await env.gone(made);
    },
  },
  {
    name: 'virtual-machine without decorators',
    main: 'examples/virtual-machine/dist/plain.js',
    kinds: virtualMachine.kinds,
    exercise: async (env) => {
      const made = await env.client.create(machine);
      await env.until(made, virtualMachine.isConverged);
    },
  },
  {
    name: 'virtual-machine by its name',
    main: 'examples/virtual-machine/dist/dynamic.js',
    kinds: [Machine],
    exercise: async (env) => {
      const made = await env.client.create(new Machine({ metadata: inDefault('m'), spec: { status: 'creating' } }));
      await env.until(made, ({ spec }) => spec.status === 'complete');
    },
  },
  {
    name: 'cloud-manager',
    main: 'examples/cloud-manager/dist/main.js',
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
      await env.gone(front);
    },
    unused: {
      'delete secrets': 'its name is that of the operator of the database, which does not change here',
      'delete statefulsets of apps': 'the same',
    },
  },
  {
    name: 'cron-job',
    kinds: [CronJob],
    fakeClock: true,
    add: (manager) => manager.add(CronJobController),
    exercise: async (env, clock) => {
      const made = await env.client.create(cron);
      await env.settled();
      await clock?.advance('61s');
      const { status } = await env.until(made, ({ status: now }) => now?.active?.[0] !== undefined);
      const first = await env.client.live.get(Job, inDefault(status?.active?.[0]?.name ?? ''));
      await clock?.advance('61s');
      await env.gone(first);
      await env.until(made, ({ status: now }) => now?.active?.some(({ uid }) => uid !== first.metadata.uid) === true);
    },
    unused: { 'patch jobs of batch': 'a Job is created by a name that says its run, and then left alone' },
  },
  {
    name: 'dns-zone',
    main: 'test/dist/operators/dns-zone/src/main.js',
    standsAlone: false,
    kinds: [DnsZone],
    leaderElection: { name: 'dns-zone', namespace: 'default' },
    add: (manager) => manager.provide(DnsApi, { value: new DnsInMemory() }).add(DnsZoneController),
    exercise: async (env) => {
      const zone = new DnsZone({ metadata: { name: 'example' }, spec: { domain: 'example.com' } });
      const made = await env.client.create(zone);
      await env.until(made, ({ status }) => status?.conditions?.some(({ type }) => type === 'Ready') === true);
      await env.client.delete(made);
      await env.gone(made);
    },
  },
  {
    name: 'ecs-binding',
    main: 'test/dist/operators/ecs-binding/src/main.js',
    kinds: [EcsBinding],
    add: (manager) => manager.add(EcsBindingController),
    exercise: async (env) => {
      const binding = new EcsBinding({ metadata: { name: 'ecs-1' }, spec: { nodename: 'node-1' } });
      const made = await env.client.create(binding);
      await env.until(made, ({ metadata }) => metadata.labels?.['cluster'] === 'k8s-cluster');
    },
  },
  {
    name: 'virtual-machine of one controller',
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

/** Resolves when there is an object of that name. */
async function there<T extends KubeObject>(env: TestEnvironment, kind: KindRef<T>, name: string): Promise<void> {
  await using informer = await env.cluster.cache.informer(kind, { namespace: 'default' });
  await informer.until(inDefault(name), () => true, { timeout: '30s' });
}
