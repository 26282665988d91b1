import { StorageClass } from '@kubewright/api/storage/v1';
import * as cloudManager from '@kubewright/example-cloud-manager';
import * as cronJob from '@kubewright/example-cron-job';
import * as database from '@kubewright/example-database';
import * as dnsZone from '@kubewright/example-dns-zone';
import * as ecsBinding from '@kubewright/example-ecs-binding';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import type { ExploreOptions } from '@kubewright/testing';
import { MemoryDns } from '../chaos/memory-dns.js';

/** An example, and the findings that are intended. */
export interface ExploredExample {
  readonly name: string;
  readonly options: ExploreOptions;
  /** The reasons of intended findings by their signatures. */
  readonly intended: Readonly<Record<string, string>>;
}

/** The examples with controllers. */
export const examples: readonly ExploredExample[] = [
  { name: 'virtual-machine', options: virtualMachine, intended: {} },
  { name: 'foo', options: foo, intended: {} },
  {
    name: 'database',
    options: {
      ...database,
      // A backup that is due while a longer history runs sets the time of the last backup and its condition.
      mask: ['Database status.lastBackup', 'Database status.conditions[]'],
    },
    intended: {
      'deletion PersistentVolumeClaim': 'the backups outlive the database',
      'isolation PersistentVolumeClaim': 'the backups of the other database outlive it',
    },
  },
  {
    name: 'cloud-manager',
    options: {
      ...cloudManager,
      objects: [new StorageClass({ metadata: { name: 'local-path' }, provisioner: 'rancher.io/local-path' })],
    },
    intended: {},
  },
  {
    name: 'cron-job',
    options: {
      kinds: [cronJob.CronJob],
      controllers: cronJob.controllers,
      samples: cronJob.samples.slice(0, 1),
    },
    intended: {},
  },
  {
    name: 'dns-zone',
    options: { ...dnsZone, external: () => [new MemoryDns()] },
    intended: { 'isolation external a.example.com': 'the deletion policy Retain keeps the zone of the other object' },
  },
  { name: 'ecs-binding', options: ecsBinding, intended: {} },
];
