import { findCondition, type HasConditions, isConditionTrue } from '../conditions/condition.js';
import { groupOf } from './group-of.js';
import { hasAddress } from './has-address.js';
import type { KubeObject } from './kube-object.js';

interface Observed extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>> & HasConditions;
}

/**
 * Whether an object is ready. The rules are those of kstatus (`Current`), with these exceptions:
 * - a failed Pod is not ready, and a Job is not ready before it is complete;
 * - a LoadBalancer Service needs an address;
 * - a StatefulSet with `OnDelete` needs ready replicas, and a DaemonSet with `OnDelete` does not need updated Pods;
 * - Deployments, ReplicaSets, StatefulSets and PodDisruptionBudgets need an `observedGeneration`, as DaemonSets do in kstatus;
 * - a Node needs a Ready condition, and the status of a Ready condition must be `True` for every kind without another rule;
 * - a CustomResourceDefinition with rejected names is not ready, regardless of the order of its conditions.
 *
 * An object is not ready while it is being deleted, while its `observedGeneration` differs from its generation, or while its condition
 * `Reconciling` or `Stalled` is true. An object of a kind without a rule is ready if its Ready condition is true, or if it has no Ready
 * condition.
 */
export function isReady(object: KubeObject): boolean {
  const { deletionTimestamp, generation } = object.metadata;
  if (deletionTimestamp !== undefined) return false;
  const observed = object as Observed;
  const { observedGeneration } = observed.status ?? {};
  if (typeof observedGeneration === 'number' && generation !== undefined && observedGeneration !== generation)
    return false;
  if (isConditionTrue(observed, 'Reconciling') || isConditionTrue(observed, 'Stalled')) return false;
  const test = tests[`${groupOf(object.apiVersion)}/${object.kind}`];
  if (test !== undefined) return test(observed);
  return findCondition(observed, 'Ready') === undefined || isConditionTrue(observed, 'Ready');
}

const tests: Readonly<Record<string, (object: Observed) => boolean>> = {
  '/Pod': isPodReady,
  '/PersistentVolumeClaim': (claim) => claim.status?.phase === 'Bound',
  '/Service': isServiceReady,
  '/Node': (node) => isConditionTrue(node, 'Ready'),
  'apps/Deployment': isDeploymentReady,
  'apps/ReplicaSet': isReplicaSetReady,
  'apps/StatefulSet': isStatefulSetReady,
  'apps/DaemonSet': isDaemonSetReady,
  'extensions/Deployment': isDeploymentReady,
  'extensions/ReplicaSet': isReplicaSetReady,
  'extensions/DaemonSet': isDaemonSetReady,
  'batch/Job': (job) => isConditionTrue(job, 'Complete'),
  'policy/PodDisruptionBudget': isObserved,
  'apiextensions.k8s.io/CustomResourceDefinition': (definition) =>
    isConditionTrue(definition, 'Established') && findCondition(definition, 'NamesAccepted')?.status !== 'False',
};

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function desired(object: Observed): number {
  return typeof object.spec?.replicas === 'number' ? object.spec.replicas : 1;
}

/** Whether the controller has reported a status for the object. `isReady` compares the generations. */
function isObserved({ metadata, status }: Observed): boolean {
  return metadata.generation === undefined || status?.observedGeneration !== undefined;
}

function hasAll(object: Observed, counters: readonly string[]): boolean {
  return counters.every((counter) => count(object.status?.[counter]) >= desired(object));
}

/** Whether no Pods are left from an earlier, larger number of replicas. */
function hasNoExtra(object: Observed): boolean {
  return count(object.status?.replicas) <= desired(object);
}

function isPodReady(pod: Observed): boolean {
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || (phase === 'Running' && isConditionTrue(pod, 'Ready'));
}

function isServiceReady(service: Observed): boolean {
  const { type, clusterIP } = service.spec ?? {};
  return type !== 'LoadBalancer' || (Boolean(clusterIP) && hasAddress(service));
}

function isDeploymentReady(deployment: Observed): boolean {
  const { status } = deployment;
  return (
    isObserved(deployment) &&
    hasAll(deployment, ['replicas', 'updatedReplicas', 'readyReplicas']) &&
    hasNoExtra(deployment) &&
    count(status?.availableReplicas) >= count(status?.updatedReplicas) &&
    hasProgressed(deployment) &&
    isConditionTrue(deployment, 'Available')
  );
}

/**
 * The value of `progressDeadlineSeconds` that the Deployment controller treats as no deadline. The controller then does not report
 * progress.
 */
const NO_DEADLINE = 2_147_483_647;

function hasProgressed(deployment: Observed): boolean {
  const progressing = findCondition(deployment, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') return false;
  if ((deployment.spec?.progressDeadlineSeconds ?? NO_DEADLINE) === NO_DEADLINE) return true;
  return progressing?.status === 'True' && progressing.reason === 'NewReplicaSetAvailable';
}

function isReplicaSetReady(set: Observed): boolean {
  return (
    isObserved(set) &&
    hasAll(set, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']) &&
    hasNoExtra(set) &&
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
  return isObserved(set) && hasAll(set, ['replicas', 'readyReplicas']) && hasNoExtra(set) && isRolledOut(set);
}

/**
 * Whether the update of the Pods is complete. Returns true for `OnDelete`, because the user decides when such Pods are replaced. If there
 * is a partition, Pods with a lower ordinal are not updated.
 */
function isRolledOut(set: Observed): boolean {
  const { type, rollingUpdate } = updateStrategy(set);
  if (type === 'OnDelete') return true;
  const partition = rollingUpdate?.partition;
  const { updateRevision, currentRevision, updatedReplicas } = set.status ?? {};
  if (typeof partition === 'number') return count(updatedReplicas) >= desired(set) - partition;
  return hasAll(set, ['currentReplicas']) && currentRevision === updateRevision;
}

function isDaemonSetReady(set: Observed): boolean {
  const { desiredNumberScheduled, ...counters } = set.status ?? {};
  if (set.metadata.generation === undefined || !isObserved(set)) return false;
  if (typeof desiredNumberScheduled !== 'number') return false;
  const needed = ['currentNumberScheduled', 'numberAvailable', 'numberReady'];
  if (updateStrategy(set).type !== 'OnDelete') needed.push('updatedNumberScheduled');
  return needed.every((counter) => count(counters[counter]) >= desiredNumberScheduled);
}
