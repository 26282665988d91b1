import type { Steps } from '@kubewright/api/apply';
import { ApiError, isAlreadyExists } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, objectsAt } from '../../../registry/objects/json-object.js';
import { controllerReference, isControlledBy } from '../../objects/controller-reference.js';
import { deploymentLimits, newSetSize } from './deployment-limits.js';
import { type DeploymentWork, hasTemplate } from './deployment-work.js';
import { isNamespaceTerminating } from '../pods/pod-control.js';
import { podTemplateHashLabel, podTemplateHashSteps } from '../pods/pod-template-hash.js';

/** The annotation with the revision of a template. */
const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
/** The annotation that requests the template of an earlier revision. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';
const longestHistory = 2000;

const own: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
]);

/** Returns whether an annotation is not copied between a Deployment and its ReplicaSets. */
export function isOmitted(annotation: string): boolean {
  return own.has(annotation);
}

/** Returns the revision of a ReplicaSet: 0 if there is none, and undefined if the annotation is not an integer of 64 bits. */
export function revisionOf({ metadata }: ApiObject): bigint | undefined {
  return parseRevision(metadata.annotations?.[revisionAnnotation] ?? '0');
}

/** Parses a revision. Returns undefined if the text is not an integer of 64 bits. */
export function parseRevision(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined;
  const revision = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, revision) === revision ? revision : undefined;
}

/** Returns the highest revision of ReplicaSets and the second highest, which are 0 if there are none. */
export function highestRevisions(sets: readonly ApiObject[]): readonly [highest: bigint, second: bigint] {
  let [highest, second] = [0n, 0n];
  for (const set of sets) {
    const revision = revisionOf(set) ?? 0n;
    if (revision >= highest) [highest, second] = [revision, highest];
    else if (revision > second) second = revision;
  }
  return [highest, second];
}

/** Returns the annotations that record the size of the Deployment when it scales a ReplicaSet. */
export function sizeAnnotations(deployment: ApiObject): Readonly<Record<string, string>> {
  const { replicas, maxSurge } = deploymentLimits(deployment);
  return { [desiredAnnotation]: String(replicas), [maxAnnotation]: String(replicas + maxSurge) };
}

/** Returns the desired replicas that the Deployment had when it last scaled the ReplicaSet, or undefined if this number is unknown. */
export function desiredOf({ metadata }: ApiObject): number | undefined {
  const text = metadata.annotations?.[desiredAnnotation];
  return text === undefined ? undefined : Number(text);
}

/** Returns the maximum number of Pods that the Deployment allowed when it last scaled the ReplicaSet, or 0 if the number is unknown. */
export function mostOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[maxAnnotation] ?? 0);
}

/**
 * Returns the ReplicaSet with the template of the Deployment, and sets its revision to the highest revision. If the ReplicaSet is missing,
 * creates the ReplicaSet if `create` is true, and returns undefined otherwise.
 */
export function* currentSet(
  work: DeploymentWork,
  { create }: { readonly create: boolean },
): Steps<ApiObject | undefined> {
  const { current: known, old } = yield* work.sets();
  const number = String(BigInt.asIntN(64, highestRevisions(old)[0] + 1n));
  if (known === undefined) return create ? yield* createSet(work, number) : undefined;
  const annotations = revisionAnnotations(work.deployment, known, number);
  yield;
  const minReadySeconds = numberAt(work.deployment, 'spec', 'minReadySeconds') ?? 0;
  const isCurrent =
    deepEqual(annotations, known.metadata.annotations ?? {}) &&
    minReadySeconds === (numberAt(known, 'spec', 'minReadySeconds') ?? 0);
  if (!isCurrent) {
    return yield* work.updateSet(known, (live) => {
      const spec: JsonDraft = { ...objectAt(live, 'spec') };
      if (minReadySeconds === 0) delete spec['minReadySeconds'];
      else spec['minReadySeconds'] = minReadySeconds;
      const next = revisionAnnotations(work.deployment, live, number);
      return { ...live, metadata: { ...live.metadata, annotations: next }, spec };
    });
  }
  yield;
  yield* markRevision(work, known, 'found');
  return known;
}

function* createSet(work: DeploymentWork, revision: string): Steps<ApiObject> {
  const set = yield* newSet(work, revision);
  const { name } = set.metadata;
  try {
    const created = yield* work.createSet(set);
    if (set.spec.replicas > 0) {
      work.say('Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${set.spec.replicas}`);
    }
    yield* markRevision(work, created, 'created');
    return created;
  } catch (error) {
    if (isAlreadyExists(error)) return yield* afterCollision(work, name, error);
    if (!(error instanceof ApiError) || isNamespaceTerminating(error)) throw error;
    const message = `Failed to create new replica set "${name}": ${error.message}`;
    const reason = 'ReplicaSetCreateError';
    if (work.hasDeadline) yield* work.setCondition({ type: 'Progressing', status: 'False', reason, message });
    work.say('Warning', reason, message);
    throw error;
  }
}

function* newSet(work: DeploymentWork, revision: string) {
  const { deployment } = work;
  const template = copyJson(objectAt(deployment, 'spec', 'template'));
  yield;
  const hash = yield* podTemplateHashSteps(template, numberAt(deployment, 'status', 'collisionCount'));
  const label = { [podTemplateHashLabel]: hash };
  const labels = { ...objectAt(template, 'metadata', 'labels'), ...label };
  madeAt(template, 'metadata')['labels'] = labels;
  const selector = copyJson(objectAt(deployment, 'spec', 'selector'));
  selector['matchLabels'] = { ...objectAt(selector, 'matchLabels'), ...label };
  yield;
  const annotations = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !isOmitted(name));
  const minReadySeconds = numberAt(deployment, 'spec', 'minReadySeconds') ?? 0;
  const { old } = yield* work.sets();
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name.slice(0, 252 - hash.length)}-${hash}`,
      namespace: deployment.metadata.namespace,
      labels,
      annotations: {
        ...Object.fromEntries(annotations),
        [revisionAnnotation]: revision,
        ...sizeAnnotations(deployment),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: newSetSize(deployment, { current: undefined, old }),
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector,
      template,
    },
  };
}

/**
 * Handles a name collision. Returns the existing ReplicaSet if the Deployment controls this ReplicaSet and both have the same template.
 * Otherwise, increases the collision count, so that the next attempt uses another hash, and throws the error.
 */
function* afterCollision(work: DeploymentWork, name: string, error: ApiError): Steps<ApiObject> {
  const other = work.findSet(name);
  const template = objectAt(work.deployment, 'spec', 'template');
  if (other !== undefined && isControlledBy(other, work.deployment) && hasTemplate(other, template)) {
    yield* markRevision(work, other, 'found');
    return other;
  }
  const status = copyJson(objectAt(work.deployment, 'status'));
  yield* work.writeStatus({ ...status, collisionCount: (numberAt(status, 'collisionCount') ?? 0) + 1 });
  throw error;
}

/**
 * Writes the revision of the newest ReplicaSet to the Deployment. If the Deployment has a progress deadline, also sets the Progressing
 * condition, but only if the ReplicaSet is new or the condition is missing.
 */
function* markRevision(work: DeploymentWork, set: ApiObject, how: 'created' | 'found'): Steps<void> {
  const { metadata } = work.deployment;
  const revision = set.metadata.annotations?.[revisionAnnotation] ?? '';
  const changed = metadata.annotations?.[revisionAnnotation] !== revision;
  const annotations = changed ? { ...metadata.annotations, [revisionAnnotation]: revision } : undefined;
  const hasCondition = objectsAt(work.deployment, 'status', 'conditions').some(({ type }) => type === 'Progressing');
  if (!work.hasDeadline || (how === 'found' && hasCondition)) {
    if (annotations !== undefined) yield* work.setCondition(undefined, annotations);
    return;
  }
  const { name } = set.metadata;
  const text =
    how === 'created'
      ? { reason: 'NewReplicaSetCreated', message: `Created new replica set "${name}"` }
      : { reason: 'FoundNewReplicaSet', message: `Found new replica set "${name}"` };
  yield* work.setCondition({ type: 'Progressing', status: 'True', ...text }, annotations);
}

/**
 * Returns the annotations of the newest ReplicaSet: the existing annotations, the annotations of the Deployment, and the revision. If the
 * existing revision is not valid, returns the existing annotations.
 */
function revisionAnnotations(deployment: ApiObject, set: ApiObject, number: string): Readonly<Record<string, string>> {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !isOmitted(name));
  const annotations = { ...set.metadata.annotations, ...Object.fromEntries(copied) };
  const before = set.metadata.annotations?.[revisionAnnotation];
  const known = parseRevision(before || '0');
  if (known === undefined) return set.metadata.annotations ?? {};
  if (known >= BigInt(number)) return annotations;
  annotations[revisionAnnotation] = number;
  if (before !== undefined) {
    const history = [...(annotations[historyAnnotation]?.split(',') ?? []), before];
    while (history.length > 0 && history.join(',').length > longestHistory) history.shift();
    annotations[historyAnnotation] = history.join(',');
  }
  return annotations;
}
