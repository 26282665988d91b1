import type { ApiObject, JsonDraft } from '../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import { badRequest } from '../../registry/requests/status-errors.js';

/** A run of a container. */
export interface ContainerRun {
  /** The number of the run. The first run has the number 0. */
  readonly run: number;
  readonly startedAt: string;
  /** Whether the run can still write to its log. */
  readonly isRunning: boolean;
}

/**
 * Returns the run whose log a client reads: the current or last run of the container. With `previous`, returns the last run that has ended.
 * Throws 400 with the message of the kubelet if the container has no such run.
 */
export function loggedRun(pod: ApiObject, container: string, previous: boolean): ContainerRun {
  const where = `container "${container}" in pod "${pod.metadata.name}"`;
  const status = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']
    .flatMap((field) => objectsAt(pod, 'status', field))
    .find(({ name }) => name === container);
  if (status === undefined) throw badRequest(`${where} is not available`);
  const restarts = numberAt(status, 'restartCount') ?? 0;
  const last: JsonDraft = objectAt(status, 'lastState', 'terminated');
  const hasLast = last['exitCode'] !== undefined;
  const state: JsonDraft = objectAt(status, 'state');
  const isWaiting = state['running'] === undefined && state['terminated'] === undefined;
  if (previous || isWaiting) {
    if (previous && !hasLast) throw badRequest(`previous terminated ${where} not found`);
    if (!hasLast) throw badRequest(`${where} is waiting to start: ${whyWaiting(stringAt(state, 'waiting', 'reason'))}`);
    const run = isWaiting ? restarts : restarts - 1;
    return { run, startedAt: stringAt(last, 'startedAt'), isRunning: false };
  }
  const isRunning = state['running'] !== undefined;
  const startedAt = stringAt(state, isRunning ? 'running' : 'terminated', 'startedAt');
  return { run: restarts, startedAt, isRunning };
}

function whyWaiting(reason: string): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason;
}
