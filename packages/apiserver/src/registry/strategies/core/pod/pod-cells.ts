import { age, humanDuration } from '../../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../../objects/api-object.js';
import { isObject, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../../objects/json-object.js';

/**
 * Returns the table row of a Pod: name, ready, status, restarts and age. The wide columns are IP, node, nominated node and readiness gates.
 */
export function podCells(pod: ApiObject, now: Date): readonly unknown[] {
  const main = objectsAt(pod, 'status', 'containerStatuses');
  const restartable = restartableInitNames(pod);
  const sidecars = objectsAt(pod, 'status', 'initContainerStatuses').filter((status) =>
    restartable.has(stringAt(status, 'name')),
  );
  const total = objectsAt(pod, 'spec', 'containers').length + restartable.size;
  const ready = [...main, ...sidecars].filter((status) => status['ready'] === true && isRunning(status)).length;
  const ips = objectsAt(pod, 'status', 'podIPs').map((entry) => stringAt(entry, 'ip'));
  return [
    pod.metadata.name,
    `${ready}/${total}`,
    podReason(pod, restartable),
    restarts(pod, now),
    age(pod.metadata.creationTimestamp, now),
    (ips[0] ?? stringAt(pod, 'status', 'podIP')) || '<none>',
    stringAt(pod, 'spec', 'nodeName') || '<none>',
    stringAt(pod, 'status', 'nominatedNodeName') || '<none>',
    readinessGates(pod),
  ];
}

/** Returns the text of the status column: the phase, or a more specific reason such as `CrashLoopBackOff`. */
function podReason(pod: ApiObject, restartable: ReadonlySet<string>): string {
  const phase = stringAt(pod, 'status', 'phase');
  let reason = stringAt(pod, 'status', 'reason') || phase;
  const scheduling = objectsAt(pod, 'status', 'conditions').find(({ type }) => type === 'PodScheduled');
  if (scheduling?.['reason'] === 'SchedulingGated') reason = 'SchedulingGated';
  const initializing = initReason(pod, restartable);
  if (initializing !== undefined) reason = initializing;
  else reason = containerReason(pod, reason);
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (stringAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

function initReason(pod: ApiObject, restartable: ReadonlySet<string>): string | undefined {
  const total = objectsAt(pod, 'spec', 'initContainers').length;
  for (const [index, status] of objectsAt(pod, 'status', 'initContainerStatuses').entries()) {
    const terminated = state(status, 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (restartable.has(stringAt(status, 'name')) && status['started'] === true) continue;
    if (terminated !== undefined) return `Init:${exitReason(terminated)}`;
    const waiting = stringAt(state(status, 'waiting'), 'reason');
    return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${total}`;
  }
  return undefined;
}

function containerReason(pod: ApiObject, phaseReason: string): string {
  let reason = phaseReason;
  let running = false;
  for (const status of objectsAt(pod, 'status', 'containerStatuses').toReversed()) {
    const waiting = stringAt(state(status, 'waiting'), 'reason');
    const terminated = state(status, 'terminated');
    if (waiting !== '') reason = waiting;
    else if (terminated !== undefined) reason = exitReason(terminated);
    else if (status['ready'] === true && isRunning(status)) running = true;
  }
  if (reason !== 'Completed' || !running) return reason;
  const ready = objectsAt(pod, 'status', 'conditions').some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
  return ready ? 'Running' : 'NotReady';
}

function exitReason(terminated: JsonDraft): string {
  const signal = numberAt(terminated, 'signal') ?? 0;
  const plain = signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}`;
  return stringAt(terminated, 'reason') || plain;
}

/**
 * Formats the number of restarts and the time since the last termination as `3 (5m ago)`. Returns only the number if the number is 0 or no
 * container has terminated.
 */
function restarts(pod: ApiObject, now: Date): string {
  const statuses = objectsAt(pod, 'status', 'containerStatuses');
  const count = statuses.reduce((sum, status) => sum + (numberAt(status, 'restartCount') ?? 0), 0);
  const last = statuses
    .map((status) => stringAt(status, 'lastState', 'terminated', 'finishedAt'))
    .toSorted()
    .at(-1);
  if (count === 0 || !last) return String(count);
  return `${count} (${humanDuration(now.getTime() - Date.parse(last))} ago)`;
}

function readinessGates(pod: ApiObject): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const conditions = objectsAt(pod, 'status', 'conditions').filter(({ status }) => status === 'True');
  const types = new Set(conditions.map(({ type }) => type));
  const met = gates.filter(({ conditionType }) => types.has(conditionType));
  return `${met.length}/${gates.length}`;
}

function restartableInitNames(pod: ApiObject): ReadonlySet<string> {
  const sidecars = objectsAt(pod, 'spec', 'initContainers').filter(({ restartPolicy }) => restartPolicy === 'Always');
  return new Set(sidecars.map((container) => stringAt(container, 'name')));
}

function isRunning(status: JsonDraft): boolean {
  return state(status, 'running') !== undefined;
}

function state(status: JsonDraft, name: string): JsonDraft | undefined {
  const found = valueAt(objectAt(status, 'state'), name);
  return isObject(found) ? found : undefined;
}
