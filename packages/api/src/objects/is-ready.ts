import { findCondition, type HasConditions, isConditionTrue } from '../conditions/condition.js';
import { groupOf } from './group-of.js';
import { hasAddress } from './has-address.js';
import type { KubeObject } from './kube-object.js';

interface Observed extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>> & HasConditions;
}

/**
 * Reports whether an object of a well-known kind does its work: Deployments, StatefulSets, DaemonSets and ReplicaSets are rolled out,
 * Jobs are complete, Pods are ready or succeeded, claims are bound, LoadBalancer Services have an address, and
 * CustomResourceDefinitions are established. Other kinds are ready by their Ready condition, or at once if they have none. The rules
 * are those of kstatus, with these differences: a Job must be complete, a LoadBalancer must have an address, and replicas under
 * `OnDelete` must be ready, while their revision does not count.
 *
 * An object is not ready while it is being deleted, while its `observedGeneration` is not its generation, and while a condition
 * `Reconciling` or `Stalled` is true.
 */
export function isReady(object: KubeObject): boolean {
  const { deletionTimestamp, generation } = object.metadata;
  if (deletionTimestamp !== undefined) return false;
  const observed = object as Observed;
  const { observedGeneration } = observed.status ?? {};
  if (typeof observedGeneration === 'number' && generation !== undefined && observedGeneration < generation)
    return false;
  if (isConditionTrue(observed, 'Reconciling') || isConditionTrue(observed, 'Stalled')) return false;
  const test = tests[`${groupOf(object.apiVersion)}/${object.kind}`];
  if (test !== undefined) return test(observed);
  return isTrueOrAbsent(observed, 'Ready');
}

const tests: Readonly<Record<string, (object: Observed) => boolean>> = {
  '/Pod': (pod) => pod.status?.phase === 'Succeeded' || isConditionTrue(pod, 'Ready'),
  '/PersistentVolumeClaim': (claim) => claim.status?.phase === 'Bound',
  '/Service': (service) => service.spec?.type !== 'LoadBalancer' || hasAddress(service),
  '/Namespace': (namespace) => namespace.status?.phase !== 'Terminating',
  '/Node': (node) => isConditionTrue(node, 'Ready'),
  'apps/Deployment': isDeploymentReady,
  'apps/ReplicaSet': isReplicaSetReady,
  'apps/StatefulSet': isStatefulSetReady,
  'apps/DaemonSet': isDaemonSetReady,
  'batch/Job': (job) => isConditionTrue(job, 'Complete'),
  'policy/PodDisruptionBudget': isObserved,
  'apiextensions.k8s.io/CustomResourceDefinition': (definition) =>
    isConditionTrue(definition, 'Established') && isTrueOrAbsent(definition, 'NamesAccepted'),
};

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function wanted(object: Observed): number {
  return typeof object.spec?.replicas === 'number' ? object.spec.replicas : 1;
}

function isTrueOrAbsent(object: Observed, condition: string): boolean {
  return findCondition(object, condition) === undefined || isConditionTrue(object, condition);
}

/** Whether the controller has seen the newest spec. */
function isObserved({ metadata, status }: Observed): boolean {
  return metadata.generation === undefined || count(status?.observedGeneration) >= metadata.generation;
}

function hasAll(object: Observed, counters: readonly string[]): boolean {
  return counters.every((counter) => count(object.status?.[counter]) >= wanted(object));
}

/** Whether no Pods are left over from a larger number of replicas. */
function hasNoExtra(object: Observed): boolean {
  return count(object.status?.replicas) <= wanted(object);
}

function isDeploymentReady(deployment: Observed): boolean {
  const { status } = deployment;
  const hasOld = count(status?.replicas) > count(status?.updatedReplicas);
  const isLate = findCondition(deployment, 'Progressing')?.reason === 'ProgressDeadlineExceeded';
  return (
    isObserved(deployment) &&
    hasAll(deployment, ['updatedReplicas', 'availableReplicas']) &&
    hasNoExtra(deployment) &&
    !hasOld &&
    !isLate &&
    isTrueOrAbsent(deployment, 'Available')
  );
}

function isReplicaSetReady(set: Observed): boolean {
  const { fullyLabeledReplicas } = set.status ?? {};
  const isLabeled = fullyLabeledReplicas === undefined || count(fullyLabeledReplicas) >= wanted(set);
  return (
    isObserved(set) &&
    hasAll(set, ['readyReplicas', 'availableReplicas']) &&
    hasNoExtra(set) &&
    isLabeled &&
    !isConditionTrue(set, 'ReplicaFailure')
  );
}

/** The update strategy of a StatefulSet or a DaemonSet. */
interface UpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: { readonly partition?: number };
}
function updateStrategy({ spec }: Observed): UpdateStrategy {
  return (spec?.updateStrategy as UpdateStrategy | undefined) ?? {};
}

function isStatefulSetReady(set: Observed): boolean {
  return isObserved(set) && hasAll(set, ['readyReplicas']) && hasNoExtra(set) && isRolledOut(set);
}

/**
 * With `OnDelete`, the user decides when Pods are replaced. With a partition, Pods of a lower ordinal keep their revision. A partition
 * of 0 is a rollout of all Pods.
 */
function isRolledOut(set: Observed): boolean {
  const { type, rollingUpdate } = updateStrategy(set);
  if (type === 'OnDelete') return true;
  const { updateRevision, currentRevision, updatedReplicas } = set.status ?? {};
  if (updateRevision === undefined || currentRevision === updateRevision) return true;
  const partition = rollingUpdate?.partition ?? 0;
  return partition > 0 && count(updatedReplicas) >= wanted(set) - partition;
}

function isDaemonSetReady(set: Observed): boolean {
  const { status } = set;
  if (!isObserved(set)) return false;
  const desired = status?.desiredNumberScheduled;
  if (typeof desired !== 'number') return false;
  const isUpdated = updateStrategy(set).type === 'OnDelete' || count(status?.updatedNumberScheduled) >= desired;
  return isUpdated && count(status?.numberAvailable) >= desired;
}
