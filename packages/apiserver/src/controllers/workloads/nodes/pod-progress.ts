import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { nodeAddress } from './embedded-node.js';
import { fateOf } from './container-fate.js';

/** The start time and the address of a Pod. */
export interface PodPlace {
  readonly now: string;
  readonly podIp: string;
}

/** Returns whether the Pod must still be started. */
export function isStarting(pod: ApiObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase === 'Pending' || phase === '';
}

/** Returns the Pod with completed init containers and running, ready containers. */
export function started(pod: ApiObject, { now, podIp }: PodPlace): ApiObject {
  const status: JsonDraft = { ...objectAt(pod, 'status') };
  const gates = objectsAt(pod, 'spec', 'readinessGates').map((gate) => stringAt(gate, 'conditionType'));
  status['conditions'] = merged(
    pod,
    ['Initialized', 'Ready', 'ContainersReady', ...gates].map((type) => ({ type, status: 'True' })),
    now,
  );
  status['containerStatuses'] = containers(pod, 'containers').map((container) => ({
    ...container,
    ready: true,
    state: { running: { startedAt: now } },
  }));
  const init = initStatuses(pod, now);
  if (init.length > 0) status['initContainerStatuses'] = init;
  const ip = objectAt(pod, 'spec')['hostNetwork'] === true ? nodeAddress : podIp;
  Object.assign(status, {
    hostIP: nodeAddress,
    hostIPs: [{ ip: nodeAddress }],
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    startTime: status['startTime'] ?? now,
  });
  return { ...pod, status };
}

/** Returns the Pod after its commands have ended, or undefined for a Pod that keeps running. */
export function ended(pod: ApiObject, now: string): ApiObject | undefined {
  const fate = fateOf(pod);
  if (fate.kind === 'runs') return undefined;
  const status: JsonDraft = { ...objectAt(pod, 'status') };
  const failed = fate.kind === 'fails';
  const reason = failed ? 'PodFailed' : 'PodCompleted';
  const conditions = [
    { type: 'Initialized', status: 'True', ...(failed ? {} : { reason }) },
    { type: 'Ready', status: 'False', reason },
    { type: 'ContainersReady', status: 'False', reason },
  ];
  status['conditions'] = merged(pod, conditions, now);
  status['containerStatuses'] = containers(pod, 'containers').map((container) => {
    const exitCode = failed ? (fate.exitCodes.get(stringAt(container, 'name')) ?? 1) : 0;
    const end = { exitCode, reason: failed ? 'Error' : 'Completed', startedAt: now, finishedAt: now };
    return { ...container, ready: false, started: false, state: { terminated: end } };
  });
  status['phase'] = failed ? 'Failed' : 'Succeeded';
  return { ...pod, status };
}

/** Returns whether a running container of the Pod has another image than its specification. */
export function hasOutdatedImage(pod: ApiObject): boolean {
  return restartable.some(([field, statuses]) => {
    const images = imagesOf(pod, field);
    return objectsAt(pod, 'status', statuses).some((status) => isOutdated(status, images));
  });
}

/** Returns the Pod after the restart of the running containers whose image has changed. The containers end successfully. */
export function restarted(pod: ApiObject, now: string): ApiObject {
  const status: JsonDraft = { ...objectAt(pod, 'status') };
  for (const [field, statuses] of restartable) {
    const images = imagesOf(pod, field);
    const known = objectsAt(pod, 'status', statuses);
    if (!known.some((each) => isOutdated(each, images))) continue;
    status[statuses] = known.map((each) => {
      if (!isOutdated(each, images)) return each;
      const { startedAt } = objectAt(each, 'state', 'running');
      return {
        ...each,
        image: images.get(each['name']),
        lastState: { terminated: { exitCode: 0, finishedAt: now, reason: 'Completed', startedAt } },
        restartCount: Number(each['restartCount'] ?? 0) + 1,
        state: { running: { startedAt: now } },
      };
    });
  }
  return { ...pod, status };
}

const restartable = [
  ['containers', 'containerStatuses'],
  ['initContainers', 'initContainerStatuses'],
] as const;

/** Returns the images of the containers by name. */
function imagesOf(pod: ApiObject, field: 'containers' | 'initContainers'): ReadonlyMap<unknown, unknown> {
  return new Map(objectsAt(pod, 'spec', field).map(({ name, image }) => [name, image]));
}

function isOutdated(status: JsonDraft, images: ReadonlyMap<unknown, unknown>): boolean {
  const isRunning = objectAt(status, 'state')['running'] !== undefined;
  return isRunning && images.has(status['name']) && images.get(status['name']) !== status['image'];
}

function containers(pod: ApiObject, field: 'containers' | 'initContainers'): readonly JsonDraft[] {
  return objectsAt(pod, 'spec', field).map(({ name, image }) => ({
    image,
    imageID: '',
    lastState: {},
    name,
    restartCount: 0,
  }));
}

/**
 * Returns the statuses of the init containers. Init containers with the restart policy Always keep running; other init containers are
 * completed.
 */
function initStatuses(pod: ApiObject, now: string): readonly JsonDraft[] {
  const specs = objectsAt(pod, 'spec', 'initContainers');
  return containers(pod, 'initContainers').map((container, at) => {
    const sidecar = specs[at]?.['restartPolicy'] === 'Always';
    const end = { exitCode: 0, finishedAt: now, reason: 'Completed', startedAt: now };
    return {
      ...container,
      ready: true,
      ...(sidecar ? { started: true } : {}),
      state: sidecar ? { running: { startedAt: now } } : { terminated: end },
    };
  });
}

/**
 * Adds conditions to the conditions of the Pod, and replaces conditions of the same type. A condition whose status does not change keeps
 * its transition time.
 */
function merged(
  pod: ApiObject,
  conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[],
  now: string,
): readonly JsonDraft[] {
  const known = objectsAt(pod, 'status', 'conditions');
  const next = conditions.map((condition) => {
    const before = known.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.['status'] === condition.status ? before['lastTransitionTime'] : now;
    return { lastProbeTime: null, lastTransitionTime, ...condition };
  });
  const types = new Set<unknown>(conditions.map(({ type }) => type));
  return [...next, ...known.filter(({ type }) => !types.has(type))];
}
