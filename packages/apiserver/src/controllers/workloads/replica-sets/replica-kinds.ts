import type { OwnerKind } from '../pods/owner-queue.js';
import type { PodMaker } from '../pods/pod-control.js';

/** A kind whose objects maintain a number of equal Pods. */
export interface ReplicaKind extends OwnerKind {
  /** The path of the resource in the registry. */
  readonly path: 'apps/v1/replicasets' | '/v1/replicationcontrollers';
  /** The names of the controller of this kind for its writes and Events. */
  readonly by: PodMaker;
  /** Whether the status contains the number of Pods that are being deleted. */
  readonly countsTerminating: boolean;
}

export const replicaSets: ReplicaKind = {
  bucket: 'apps/replicasets',
  group: 'apps',
  kind: 'ReplicaSet',
  controls: ['/pods'],
  path: 'apps/v1/replicasets',
  by: { name: 'replicaset-controller', component: 'replicaset-controller' },
  countsTerminating: true,
};

export const replicationControllers: ReplicaKind = {
  bucket: '/replicationcontrollers',
  group: '',
  kind: 'ReplicationController',
  controls: ['/pods'],
  path: '/v1/replicationcontrollers',
  by: { name: 'replication-controller', component: 'replication-controller' },
  countsTerminating: false,
};
