import { isDeepStrictEqual } from 'node:util';
import { isConditionTrue, isReady, type KubeObject } from '@kubewright/api';
import { isWrittenByOperator } from '../state/operator-fields.js';
import { nameOf, objectName, type StoredObject } from '../state/stored-object.js';
import type { Observation } from '../trials/run-trial.js';
import { SUBJECT } from '../trials/world.js';
import { type Violation, violationOf } from './violation.js';

/**
 * A rule of the user. The function receives all objects of the server, and throws an error if they violate the rule.
 *
 * @example
 * const onePrimary: Invariant = (objects) => {
 *   assert.ok(objects.filter(({ kind, metadata }) => kind === 'Pod' && metadata.labels?.['role'] === 'primary').length <= 1);
 * };
 */
export type Invariant = (objects: readonly KubeObject[]) => void;

/** The kinds of children whose readiness the status of their owner reports. */
const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Pod']);
const READY_CONDITIONS = ['Ready', 'Available'];

/**
 * Returns the rules that the objects after a step violate.
 *
 * @param before the last earlier observation of a converged world
 */
export function objectViolations(
  observation: Observation,
  before: Observation | undefined,
  invariants: Readonly<Record<string, Invariant>>,
): readonly Violation[] {
  const foreign = foreignObjects(observation);
  const early = unreadyChildren(observation);
  const outdated = before === undefined ? [] : outdatedPods(before.objects, observation.objects);
  return [
    ...(foreign.length > 0
      ? [violationOf('foreign', 'the operator changes or deletes objects that it does not own', foreign)]
      : []),
    ...(early.length > 0
      ? [violationOf('ready', 'the status reports Ready although children are not ready', early)]
      : []),
    ...(outdated.length > 0
      ? [violationOf('rollout', 'Pods run with an environment from the previous content of an object', outdated)]
      : []),
    ...brokenInvariants(observation.objects, invariants),
  ];
}

/** Returns the copies of children that the operator wrote or deleted. */
function foreignObjects({ copies, objects, writes }: Observation): readonly string[] {
  if (copies.size === 0) return [];
  const existing = new Set(objects.map(nameOf));
  const written = new Set(writes.map(({ kind, namespace, name = '' }) => objectName(kind, { namespace, name })));
  return [...copies].filter((name) => written.has(name) || !existing.has(name));
}

/** Returns the names of the workloads that are not ready although the status of their owner reports Ready or Available. */
function unreadyChildren({ objects }: Observation): readonly string[] {
  const ready = new Set(objects.filter(isReportedReady).map(({ metadata }) => metadata.uid));
  const children = objects.filter(
    ({ kind, metadata: { ownerReferences = [] } }) =>
      WORKLOADS.has(kind) && ownerReferences.some(({ uid, controller }) => controller === true && ready.has(uid)),
  );
  return children.filter((child) => !isReady(child as KubeObject)).map(nameOf);
}

function isReportedReady(object: StoredObject): boolean {
  if (object.metadata.name !== SUBJECT.name || !Array.isArray(object.status?.['conditions'])) return false;
  return READY_CONDITIONS.some((type) => isConditionTrue(object, type));
}

/**
 * Returns the names of the running Pods whose environment is outdated: the operator has changed a ConfigMap or Secret of the environment
 * since the earlier observation, in which the Pod already existed.
 */
function outdatedPods(before: readonly StoredObject[], objects: readonly StoredObject[]): readonly string[] {
  const contents = new Map(before.filter(isConfig).map((object) => [nameOf(object), object.data]));
  const changed = new Set(
    objects
      .filter((object) => isConfig(object) && contents.has(nameOf(object)) && isWrittenByOperator(object))
      .filter((object) => !isDeepStrictEqual(contents.get(nameOf(object)), object.data))
      .map(nameOf),
  );
  if (changed.size === 0) return [];
  const running = new Set(before.map(({ metadata }) => metadata.uid));
  const pods = objects.filter(
    ({ kind, metadata, status }) =>
      kind === 'Pod' &&
      running.has(metadata.uid) &&
      metadata.deletionTimestamp === undefined &&
      status?.['phase'] === 'Running',
  );
  return pods.filter((pod) => environmentsOf(pod).some((name) => changed.has(name))).map(nameOf);
}

function isConfig({ kind }: StoredObject): boolean {
  return kind === 'ConfigMap' || kind === 'Secret';
}

interface PodContent {
  readonly containers?: readonly ContainerContent[];
}
interface ContainerContent {
  readonly env?: readonly { readonly valueFrom?: References }[];
  readonly envFrom?: readonly References[];
}
type References = Readonly<
  Partial<Record<'configMapKeyRef' | 'secretKeyRef' | 'configMapRef' | 'secretRef', { readonly name?: string }>>
>;

/** Returns the names of the objects from which the containers of a Pod read their environment. */
function environmentsOf({ metadata: { namespace }, spec }: StoredObject): readonly string[] {
  const { containers = [] } = (spec ?? {}) as PodContent;
  const references = containers.flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) => valueFrom ?? []),
    ...envFrom,
  ]);
  return references.flatMap((reference) =>
    Object.entries(reference).flatMap(([field, object]) => {
      const kind = field.startsWith('configMap') ? 'ConfigMap' : 'Secret';
      return object?.name === undefined ? [] : [objectName(kind, { namespace, name: object.name })];
    }),
  );
}

function brokenInvariants(
  objects: readonly StoredObject[],
  invariants: Readonly<Record<string, Invariant>>,
): readonly Violation[] {
  return Object.entries(invariants).flatMap(([name, invariant]) => {
    try {
      invariant(objects as readonly KubeObject[]);
      return [];
    } catch (error) {
      const details = [error instanceof Error ? error.message : String(error)];
      return [
        { oracle: 'invariant' as const, sentence: `the invariant '${name}' does not hold`, details, cause: name },
      ];
    }
  });
}
