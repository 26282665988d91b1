import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { sidecarsOf } from '../../objects/sidecars.js';

/** The states of the containers of a Pod. */
export interface PodParts {
  readonly containers: readonly JsonDraft[];
  readonly initContainers: readonly JsonDraft[];
  readonly phase: string;
  readonly isInitialized: boolean;
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Returns the conditions of a Pod with these containers. A condition whose status does not change keeps its transition time. After the init
 * containers, a readiness gate without a condition gets a condition with the status True. An existing condition does not change.
 */
export function podConditions(pod: ApiObject, parts: PodParts, now: string): readonly JsonDraft[] {
  const known = objectsAt(pod, 'status', 'conditions');
  const gates = objectsAt(pod, 'spec', 'readinessGates').map((gate) => stringAt(gate, 'conditionType'));
  const gateConditions = gates.map(
    (type) =>
      (known.find((condition) => condition['type'] === type) ?? { type, status: 'True' }) as unknown as Condition,
  );
  const ready = containersReady(pod, parts);
  const closed = gateConditions.filter(({ status }) => status !== 'True');
  const next: readonly Condition[] = [
    initialized(pod, parts),
    ready.status === 'True' && closed.length > 0
      ? { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: closed.map(gateText).join(', ') }
      : { ...ready, type: 'Ready' },
    ready,
    ...(parts.isInitialized ? gateConditions : []),
  ];
  return merged(known, next, now);
}

function initialized(pod: ApiObject, { phase, initContainers, isInitialized }: PodParts): Condition {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  if (isInitialized) return { type, status: 'True' };
  const sidecars = sidecarNames(pod);
  const isComplete = (status: JsonDraft): boolean =>
    status[sidecars.has(status['name']) ? 'started' : 'ready'] === true;
  const names = initContainers.filter((status) => !isComplete(status)).map(nameOf);
  const message = `containers with incomplete status: [${names.join(' ')}]`;
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReady(pod: ApiObject, { phase, containers, initContainers }: PodParts): Condition {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const sidecars = sidecarNames(pod);
  const counted = [...initContainers.filter(({ name }) => sidecars.has(name)), ...containers];
  const unready = counted.filter(({ ready }) => ready !== true).map(nameOf);
  if (unready.length === 0) return { type, status: 'True' };
  const message = `containers with unready status: [${unready.join(' ')}]`;
  return { type, status: 'False', reason: 'ContainersNotReady', message };
}

function sidecarNames(pod: ApiObject): ReadonlySet<unknown> {
  return new Set(sidecarsOf(pod).map(({ name }) => name));
}

function gateText({ type, status }: Condition): string {
  return `the status of pod readiness gate "${type}" is not "True", but ${status}`;
}

function nameOf(status: JsonDraft): string {
  return stringAt(status, 'name');
}

/**
 * Adds conditions to the known conditions, and replaces conditions of the same type. A condition whose status does not change keeps its
 * transition time.
 */
function merged(known: readonly JsonDraft[], conditions: readonly Condition[], now: string): readonly JsonDraft[] {
  const next = conditions.map((condition) => {
    const before = known.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.['status'] === condition.status ? before['lastTransitionTime'] : now;
    return { lastProbeTime: null, ...condition, lastTransitionTime };
  });
  const types = new Set<unknown>(conditions.map(({ type }) => type));
  return [...next, ...known.filter(({ type }) => !types.has(type))];
}
