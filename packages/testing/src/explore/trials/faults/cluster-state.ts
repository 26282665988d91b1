import { isConditionTrue, type KindRef, type KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { ApiServer } from '@kubewright/apiserver';
import type { Client } from '@kubewright/runtime';
import { initialObjects } from '../../../initial-objects.js';
import type { ClusterProblem, Fault } from './fault.js';
import { crashing, ready } from './pod-readiness.js';

type StoredObject = ReturnType<ApiServer['store']['list']>[number];

/** The buckets whose objects do not exist during a problem. */
const MISSING: Partial<Readonly<Record<ClusterProblem['problem'], string>>> = {
  'no-nodes': '/nodes',
  'no-storage': 'storage.k8s.io/storageclasses',
};
const PODS = '/pods';

/** The cluster of a trial, and the objects that its problems affect. */
export interface DisturbedCluster {
  readonly server: ApiServer;
  readonly client: Client;
  /** The objects that exist before the trial starts. */
  readonly objects: readonly KubeObject[];
  /** The kind of the object of the trial. Objects of this kind are never created late. */
  readonly subject: KindRef;
}

/** The problems of a cluster in one trial, from the call of `begin` to the call of `end`. */
export class ClusterState {
  readonly #problems: ReadonlySet<ClusterProblem['problem']>;
  readonly #cluster: DisturbedCluster;
  readonly #removed: { readonly bucket: string; readonly object: StoredObject }[] = [];
  #endCrashes: () => void = () => undefined;

  constructor(faults: readonly Fault[], cluster: DisturbedCluster) {
    this.#problems = new Set(faults.flatMap((fault) => (fault.kind === 'cluster' ? [fault.problem] : [])));
    this.#cluster = cluster;
  }

  get hasProblem(): boolean {
    return this.#problems.size > 0;
  }

  async begin(): Promise<void> {
    const { server, client } = this.#cluster;
    const { store } = server;
    for (const problem of this.#problems) {
      const bucket = MISSING[problem];
      for (const object of bucket === undefined ? [] : store.list(bucket)) {
        store.delete(bucket as string, object.metadata);
        this.#removed.push({ bucket: bucket as string, object });
      }
    }
    if (this.#problems.has('not-ready')) this.#endCrashes = store.onCommit(() => this.#change(isPodReady, crashing));
    if (this.#problems.has('late-objects')) for (const object of this.#late) await client.delete(object);
  }

  async end(): Promise<void> {
    const { server, client } = this.#cluster;
    for (const { bucket, object } of this.#removed.splice(0)) server.store.create(bucket, object);
    if (this.#problems.has('not-ready')) {
      this.#endCrashes();
      this.#change((pod) => !isPodReady(pod), ready);
    }
    if (!this.#problems.has('late-objects')) return;
    for await (const _created of initialObjects(this.#late, client));
  }

  /** Changes all running Pods that satisfy the condition. */
  #change(isChanged: (pod: StoredObject) => boolean, change: (pod: StoredObject) => StoredObject): void {
    const { store } = this.#cluster.server;
    for (const pod of store.list(PODS)) {
      const { phase } = (pod['status'] ?? {}) as { readonly phase?: string };
      const isRunning = phase === 'Running' && pod.metadata.deletionTimestamp === undefined;
      if (isRunning && isChanged(pod)) store.update(PODS, change(pod));
    }
  }

  get #late(): readonly KubeObject[] {
    const { objects, subject } = this.#cluster;
    return objects.filter(({ kind }) => kind !== kindOf(subject).kind);
  }
}

/** Whether the condition Ready of the Pod is True. */
function isPodReady(pod: StoredObject): boolean {
  return isConditionTrue({ status: pod['status'] as object | undefined }, 'Ready');
}
