import { findCondition, type HasConditions, isConditionTrue } from '../conditions/condition.js';
import { groupOf } from './group-of.js';
import { hasAddress } from './has-address.js';
import type { KubeObject } from './kube-object.js';

interface Observed extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>> & HasConditions;
}

/**
 * Whether an object of a well-known kind does its work: Deployments, StatefulSets, DaemonSets and ReplicaSets rolled out, Jobs
 * complete, Pods ready or succeeded, claims bound, LoadBalancer Services reachable, CustomResourceDefinitions established; others by a
 * Ready condition, or at once when they have none. An object that is being deleted is not ready.
 */
export function isReady(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false;
  const observed = object as Observed;
  const test = tests[`${groupOf(object.apiVersion)}/${object.kind}`];
  if (test !== undefined) return test(observed);
  return findCondition(observed, 'Ready') === undefined || isConditionTrue(observed, 'Ready');
}

const tests: Readonly<Record<string, (object: Observed) => boolean>> = {
  '/Pod': (pod) => pod.status?.phase === 'Succeeded' || isConditionTrue(pod, 'Ready'),
  '/PersistentVolumeClaim': (claim) => claim.status?.phase === 'Bound',
  '/Service': (service) => service.spec?.type !== 'LoadBalancer' || hasAddress(service),
  '/Namespace': (namespace) => namespace.status?.phase !== 'Terminating',
  '/Node': (node) => isConditionTrue(node, 'Ready'),
  'apps/Deployment': (deployment) =>
    isObserved(deployment) && hasAll(deployment, ['updatedReplicas', 'availableReplicas']) && hasNoOld(deployment),
  'apps/ReplicaSet': (set) => isObserved(set) && hasAll(set, ['readyReplicas', 'availableReplicas']),
  'apps/StatefulSet': isStatefulSetReady,
  'apps/DaemonSet': isDaemonSetReady,
  'batch/Job': (job) => isConditionTrue(job, 'Complete'),
  'apiextensions.k8s.io/CustomResourceDefinition': (definition) => isConditionTrue(definition, 'Established'),
};

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function wanted(object: Observed): number {
  return typeof object.spec?.replicas === 'number' ? object.spec.replicas : 1;
}

/** Whether the controller has seen the newest spec. */
function isObserved({ metadata, status }: Observed): boolean {
  return metadata.generation === undefined || count(status?.observedGeneration) >= metadata.generation;
}

function hasAll(object: Observed, counters: readonly string[]): boolean {
  return counters.every((counter) => count(object.status?.[counter]) >= wanted(object));
}

function hasNoOld({ status }: Observed): boolean {
  return count(status?.replicas) <= count(status?.updatedReplicas);
}

function isStatefulSetReady(set: Observed): boolean {
  const revision = set.status?.updateRevision;
  const rolledOut = revision === undefined || set.status?.currentRevision === revision;
  return isObserved(set) && hasAll(set, ['readyReplicas']) && rolledOut;
}

function isDaemonSetReady(set: Observed): boolean {
  const { status } = set;
  if (!isObserved(set)) return false;
  const desired = status?.desiredNumberScheduled;
  if (typeof desired !== 'number') return false;
  return count(status?.updatedNumberScheduled) >= desired && count(status?.numberAvailable) >= desired;
}
