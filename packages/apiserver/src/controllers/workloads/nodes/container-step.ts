import type { JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, stringAt } from '../../../registry/objects/json-object.js';
import { leastOf } from '../../objects/extremes.js';
import type { EventText } from '../../work/event-recorder.js';
import type { ContainerPlan } from '../../simulation/container-plan.js';

/** What determines the next state of a container. */
export interface ContainerSetting {
  /** The container in the spec of the Pod. */
  readonly container: JsonDraft;
  readonly plan: ContainerPlan;
  /** The name, namespace and uid of the Pod, for messages. */
  readonly podText: string;
  readonly restarts: (exitCode: number) => boolean;
  /** The time of new states. */
  readonly now: string;
  /** Returns the milliseconds since the container has its current state. */
  readonly elapsedMs: (status: JsonDraft) => number;
}

/** The next status of a container, which is the given status if nothing changes. */
export interface ContainerStep {
  readonly status: JsonDraft;
  /** The milliseconds until the status can change again; infinite if only a write or another behavior can change the status. */
  readonly wakeInMs: number;
  readonly events: readonly EventText[];
}

const never = Number.POSITIVE_INFINITY;
/** The exit code of a container that the kubelet ends. */
export const killed = 137;

/** Returns the status of a container after the next change of its state. At most one change happens in each step. */
export function containerStep(before: JsonDraft | undefined, setting: ContainerSetting): ContainerStep {
  const state = objectAt(before, 'state');
  if (before !== undefined && state['running'] !== undefined) return running(before, setting);
  if (before !== undefined && state['terminated'] !== undefined) return terminated(before, setting);
  return waiting(before, setting);
}

/** Returns the status of a container that waits with a reason. */
export function waitingStatus(
  container: JsonDraft,
  waitsFor: { readonly reason: string; readonly message?: string },
  before?: JsonDraft,
): JsonDraft {
  return { ...blank(container), ...before, ready: false, started: false, state: { waiting: waitsFor } };
}

/** Returns the status of a running container after its end. */
export function endedStatus(
  before: JsonDraft,
  end: { readonly exitCode: number; readonly now: string; readonly reason?: string; readonly message?: string },
): JsonDraft {
  const { exitCode, now, reason = exitCode === 0 ? 'Completed' : 'Error', message } = end;
  const startedAt = objectAt(before, 'state', 'running')['startedAt'] ?? now;
  const ended = { exitCode, reason, startedAt, finishedAt: now, ...(message === undefined ? {} : { message }) };
  return { ...before, ready: false, started: false, state: { terminated: ended } };
}

function waiting(before: JsonDraft | undefined, setting: ContainerSetting): ContainerStep {
  const { container, plan, elapsedMs } = setting;
  if (before !== undefined && objectAt(before, 'lastState')['terminated'] !== undefined) {
    const leftMs = plan.restartAfterMs(restartsOf(before)) - elapsedMs(before);
    return leftMs > 0 ? same(before, leftMs) : restarted(before, setting);
  }
  const reason = objectAt(before, 'state', 'waiting')['reason'];
  if (plan.waiting !== undefined) {
    if (before !== undefined && reason === plan.waiting) return same(before);
    const waitsFor = { reason: plan.waiting, message: waitingMessage(plan.waiting, container) };
    const text = { type: 'Warning', reason: 'Failed', message: `Error: ${plan.waiting}` } as const;
    const events = plan.waiting === 'ContainerCreating' ? [] : [text];
    return { status: waitingStatus(container, waitsFor, before), wakeInMs: 0, events };
  }
  const isCreating = before !== undefined && reason === 'ContainerCreating';
  const leftMs = plan.startAfterMs - (isCreating ? elapsedMs(before) : 0);
  if (leftMs <= 0) return changed(startedStatus(before ?? blank(container), setting));
  if (isCreating) return same(before, leftMs);
  return changed(waitingStatus(container, { reason: 'ContainerCreating' }, before));
}

function running(before: JsonDraft, setting: ContainerSetting): ContainerStep {
  const { container, plan, now } = setting;
  if (stringAt(before, 'image') !== stringAt(container, 'image')) {
    return restarted(afterExit(endedStatus(before, { exitCode: 0, now })), setting);
  }
  const elapsedMs = setting.elapsedMs(before);
  const exitCode = plan.exitCode(restartsOf(before));
  if (exitCode !== undefined && elapsedMs >= plan.runForMs) {
    const { exitReason: reason, exitMessage: message } = plan;
    const end = { exitCode, now, ...(reason && { reason }), ...(message !== undefined && { message }) };
    return changed(endedStatus(before, end));
  }
  if (elapsedMs >= plan.livenessFailsAfterMs) {
    const text = `Container ${stringAt(container, 'name')} failed liveness probe, will be restarted`;
    return {
      ...changed(endedStatus(before, { exitCode: killed, now })),
      events: [
        {
          type: 'Warning',
          reason: 'Unhealthy',
          message: 'Liveness probe failed: the behavior of the Pod states the failure',
        },
        { type: 'Normal', reason: 'Killing', message: text },
      ],
    };
  }
  const next = { ...before, ...probed(setting, elapsedMs) };
  const times = [plan.startedAfterMs, plan.readyAfterMs, plan.livenessFailsAfterMs];
  if (exitCode !== undefined) times.push(plan.runForMs);
  const wakeInMs = leastOf(times.filter((ms) => ms > elapsedMs)) - elapsedMs;
  const isSame = next.ready === before['ready'] && (next.started ?? before['started']) === before['started'];
  return isSame ? same(before, wakeInMs) : { ...changed(next), wakeInMs };
}

function terminated(before: JsonDraft, setting: ContainerSetting): ContainerStep {
  const { container, plan, podText, restarts } = setting;
  const exitCode = numberAt(before, 'state', 'terminated', 'exitCode') ?? 0;
  if (!restarts(exitCode)) return same(before);
  const delayMs = plan.restartAfterMs(restartsOf(before));
  if (delayMs <= 0) return restarted(afterExit(before), setting);
  const name = stringAt(container, 'name');
  const message = `back-off ${backOffText(delayMs)} restarting failed container=${name} pod=${podText}`;
  const waitsFor = { reason: 'CrashLoopBackOff', message };
  const text = `Back-off restarting failed container ${name} in pod ${podText}`;
  return {
    status: waitingStatus(container, waitsFor, afterExit(before)),
    wakeInMs: 0,
    events: [{ type: 'Warning', reason: 'BackOff', message: text }],
  };
}

/** Returns the next run of a container whose `lastState` is the end of its last run. */
function restarted(before: JsonDraft, setting: ContainerSetting): ContainerStep {
  return changed(startedStatus({ ...before, restartCount: restartsOf(before) + 1 }, setting));
}

/** Returns the status of a terminated container, with the end of its run as the `lastState`. */
function afterExit(ended: JsonDraft): JsonDraft {
  return { ...ended, lastState: ended['state'] };
}

function startedStatus(before: JsonDraft, setting: ContainerSetting): JsonDraft {
  const { started: _, ...rest } = before;
  const { container, now } = setting;
  return { ...rest, image: container['image'], ...probed(setting, 0), state: { running: { startedAt: now } } };
}

/**
 * Returns the results of the probes. A container without a stated behavior and without a restart policy of its own has no `started`, as on
 * a simulated node of kwok.
 */
function probed(
  { plan, container }: ContainerSetting,
  elapsedMs: number,
): { readonly ready: boolean; readonly started?: boolean } {
  const started = elapsedMs >= plan.startedAfterMs;
  const ready = started && elapsedMs >= plan.readyAfterMs;
  return plan.isStated || container['restartPolicy'] !== undefined ? { ready, started } : { ready };
}

function blank({ name, image }: JsonDraft): JsonDraft {
  return { image, imageID: '', lastState: {}, name, restartCount: 0 };
}

function waitingMessage(reason: string, { image }: JsonDraft): string {
  if (reason === 'ImagePullBackOff') return `Back-off pulling image "${String(image)}"`;
  return reason === 'ErrImagePull' ? `failed to pull image "${String(image)}"` : `the container waits: ${reason}`;
}

/** Returns a duration as Go formats it, such as 1m20s. */
function backOffText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${minutes === 0 ? '' : `${minutes}m`}${(ms % 60_000) / 1000}s`;
}

function restartsOf(status: JsonDraft): number {
  return numberAt(status, 'restartCount') ?? 0;
}

function changed(status: JsonDraft): ContainerStep {
  return { status, wakeInMs: 0, events: [] };
}

function same(status: JsonDraft, wakeInMs = never): ContainerStep {
  return { status, wakeInMs, events: [] };
}
