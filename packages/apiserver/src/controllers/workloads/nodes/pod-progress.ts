import { append } from '@kubewright/api/json';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { EventText } from '../../work/event-recorder.js';
import { mostOf } from '../../objects/extremes.js';
import { isFinished } from '../../objects/pod-state.js';
import { containerPlan, type ContainerPlan } from '../../simulation/container-plan.js';
import type { SimulatedPods } from '../../simulation/simulated-pods.js';
import { defaultExitCode, fateOf, type PodFate } from './container-fate.js';
import { containerStep, type ContainerStep, endedStatus, killed, waitingStatus } from './container-step.js';
import { podConditions } from './pod-conditions.js';
import { isRestarted } from './restart-rules.js';

/** What determines the progress of a Pod. */
export interface PodSetting {
  readonly simulated: SimulatedPods;
  /** The time of new states. */
  readonly now: string;
  /** The address of the node. */
  readonly host: string;
  /** Returns the address of a Pod that starts. */
  readonly address: () => string;
  /** Returns the milliseconds since a container has its current state. */
  readonly elapsedMs: (status: JsonDraft) => number;
}

/** The next status of a Pod. */
export interface PodStep {
  readonly pod: ApiObject;
  /**
   * The milliseconds until the status can change again, if the status does not change now. Infinity if only a write can change the status.
   */
  readonly wakeInMs: number;
  readonly events: readonly EventText[];
}

/** Returns whether the Pod must still be started. */
export function isStarting(pod: ApiObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase === 'Pending' || phase === '';
}

/** Returns whether a running container of the Pod has another image than its specification. */
export function hasOutdatedImage(pod: ApiObject): boolean {
  return (['container', 'initContainer'] as const).some((kind) => {
    const images = new Map(objectsAt(pod, 'spec', `${kind}s`).map(({ name, image }) => [name, image]));
    const statuses = objectsAt(pod, 'status', `${kind}Statuses`).filter(isRunning);
    return statuses.some(({ name, image }) => images.has(name) && images.get(name) !== image);
  });
}

/** Returns the plan of a container of a Pod: the stated behavior, or the behavior that the command determines. */
function planOf(
  pod: ApiObject,
  container: JsonDraft,
  { simulated, fate, isInit }: { readonly simulated: SimulatedPods; readonly fate: PodFate; readonly isInit: boolean },
): ContainerPlan {
  const name = stringAt(container, 'name');
  const isSidecar = isInit && container['restartPolicy'] === 'Always';
  const byDefault = isInit ? (isSidecar ? undefined : 0) : defaultExitCode(fate, name);
  return containerPlan(simulated.behaviours(pod, { name, isInit }), byDefault);
}

/** Returns the Pod after the next changes of its containers. Returns the same Pod if nothing changes. */
export function podStep(pod: ApiObject, setting: PodSetting): PodStep {
  const deadlineInMs = deadlineMs(pod, setting);
  if (deadlineInMs <= 0)
    return { pod: afterDeadline(pod, setting.now), wakeInMs: Number.POSITIVE_INFINITY, events: [] };
  const steps = new Steps(pod, setting, deadlineInMs);
  const isInitialized = steps.init();
  const isFailed = !isInitialized && steps.hasFailedInit();
  const containers = steps.main(isInitialized);
  if (isInitialized) steps.ephemeral();
  if (isInitialized && containers.length > 0 && containers.every((status) => steps.isOver(status))) steps.endSidecars();
  return steps.result({ containers, isInitialized, isFailed });
}

type ByName = ReadonlyMap<unknown, JsonDraft>;

/** Returns the objects of a list of the Pod by their names. */
function byName(pod: ApiObject, part: 'spec' | 'status', field: string): ByName {
  return new Map(objectsAt(pod, part, field).map((each) => [each['name'], each]));
}

/** The steps of the containers of a Pod. */
class Steps {
  readonly #pod: ApiObject;
  readonly #setting: PodSetting;
  readonly #podPolicy: string;
  readonly #podText: string;
  readonly #fate: PodFate;
  readonly #containers: ByName;
  readonly #known: Readonly<Record<'ephemeral' | 'init' | 'main', ByName>>;
  readonly #events: EventText[] = [];
  #initStatuses: readonly JsonDraft[] = [];
  #ephemeralStatuses: readonly JsonDraft[] = [];
  #wakeInMs: number;

  constructor(pod: ApiObject, setting: PodSetting, deadlineInMs: number) {
    this.#wakeInMs = deadlineInMs;
    this.#pod = pod;
    this.#setting = setting;
    this.#podPolicy = stringAt(pod, 'spec', 'restartPolicy') || 'Always';
    this.#fate = fateOf(pod);
    this.#containers = byName(pod, 'spec', 'containers');
    this.#known = {
      ephemeral: byName(pod, 'status', 'ephemeralContainerStatuses'),
      init: byName(pod, 'status', 'initContainerStatuses'),
      main: byName(pod, 'status', 'containerStatuses'),
    };
    this.#podText = `${pod.metadata.name}_${pod.metadata.namespace ?? ''}(${pod.metadata.uid})`;
  }

  /** Runs the init containers in order. Returns whether the containers of the Pod can start. */
  init(): boolean {
    const statuses: JsonDraft[] = [];
    let isInitialized = true;
    for (const container of objectsAt(this.#pod, 'spec', 'initContainers')) {
      const before = this.#known.init.get(container['name']);
      const isSidecar = container['restartPolicy'] === 'Always';
      const isNext = isInitialized || (isSidecar && before !== undefined && isRunning(before));
      let status = before ?? waitingStatus(container, { reason: 'PodInitializing' });
      if (isNext) status = isSidecar ? this.#step(container, before, 'init') : this.#initStep(container, before);
      if (isInitialized) isInitialized = status[isSidecar ? 'started' : 'ready'] === true;
      statuses.push(status);
    }
    this.#initStatuses = statuses;
    return isInitialized;
  }

  #initStep(container: JsonDraft, before: JsonDraft | undefined): JsonDraft {
    let status = this.#step(container, before, 'init');
    // An init container that does not run for a stated time ends in the step in which it starts.
    if (status !== before && isRunning(status)) status = this.#step(container, status, 'init');
    if (isRunning(status)) return { ...status, ready: false };
    if (exitCodeOf(status) !== 0 || status['ready'] === true) return status;
    const { started: _, ...rest } = status;
    return { ...rest, ready: true };
  }

  /** Returns whether an init container has failed and is not restarted. */
  hasFailedInit(): boolean {
    return objectsAt(this.#pod, 'spec', 'initContainers').some((container, at) => {
      const exitCode = exitCodeOf(this.#initStatuses[at]);
      return exitCode !== undefined && exitCode !== 0 && !this.#restarts(container, exitCode, true);
    });
  }

  /** Runs the containers, which start after the init containers. */
  main(isInitialized: boolean): readonly JsonDraft[] {
    return objectsAt(this.#pod, 'spec', 'containers').map((container) => {
      const before = this.#known.main.get(container['name']);
      if (isInitialized) return this.#step(container, before, 'main');
      return before ?? waitingStatus(container, { reason: 'PodInitializing' });
    });
  }

  /** Starts the ephemeral containers, which are never restarted. */
  ephemeral(): void {
    this.#ephemeralStatuses = objectsAt(this.#pod, 'spec', 'ephemeralContainers').map((container) =>
      this.#step(container, this.#known.ephemeral.get(container['name']), 'ephemeral'),
    );
  }

  /** Returns whether a container has ended and is not restarted. */
  isOver(status: JsonDraft): boolean {
    const exitCode = exitCodeOf(status);
    const container = this.#containers.get(status['name']);
    return exitCode !== undefined && container !== undefined && !this.#restarts(container, exitCode, false);
  }

  /** Ends the sidecars after all containers have ended. */
  endSidecars(): void {
    const { now } = this.#setting;
    this.#initStatuses = this.#initStatuses.map((status) =>
      isRunning(status) ? endedStatus(status, { exitCode: 0, now }) : status,
    );
  }

  result(made: {
    readonly containers: readonly JsonDraft[];
    readonly isInitialized: boolean;
    readonly isFailed: boolean;
  }): PodStep {
    const { host, address, now } = this.#setting;
    const before: JsonDraft = objectAt(this.#pod, 'status');
    const phase = this.#phase(made);
    const statuses = { containers: made.containers, initContainers: this.#initStatuses };
    const status: JsonDraft = {
      ...before,
      conditions: podConditions(this.#pod, { ...statuses, phase, isInitialized: made.isInitialized }, now),
      containerStatuses: made.containers,
      phase,
      hostIP: host,
      hostIPs: [{ ip: host }],
      startTime: before['startTime'] ?? now,
    };
    if (this.#initStatuses.length > 0) status['initContainerStatuses'] = this.#initStatuses;
    if (this.#ephemeralStatuses.length > 0) status['ephemeralContainerStatuses'] = this.#ephemeralStatuses;
    const ip = objectAt(this.#pod, 'spec')['hostNetwork'] === true ? host : stringAt(before, 'podIP') || address();
    status['podIP'] = ip;
    status['podIPs'] = [{ ip }];
    return { pod: { ...this.#pod, status }, wakeInMs: this.#wakeInMs, events: this.#events };
  }

  #phase(made: {
    readonly containers: readonly JsonDraft[];
    readonly isInitialized: boolean;
    readonly isFailed: boolean;
  }): string {
    if (made.isFailed) return 'Failed';
    if (!made.isInitialized) return 'Pending';
    const { containers } = made;
    if (containers.every((status) => this.isOver(status))) {
      return containers.every((status) => exitCodeOf(status) === 0) ? 'Succeeded' : 'Failed';
    }
    const isWaiting = (status: JsonDraft): boolean =>
      objectAt(status, 'state')['waiting'] !== undefined && objectAt(status, 'lastState')['terminated'] === undefined;
    return containers.some(isWaiting) ? 'Pending' : 'Running';
  }

  #step(container: JsonDraft, before: JsonDraft | undefined, kind: 'ephemeral' | 'init' | 'main'): JsonDraft {
    const { simulated, now, elapsedMs } = this.#setting;
    const isInit = kind === 'init';
    const step: ContainerStep = containerStep(before, {
      container,
      plan: planOf(this.#pod, container, { simulated, fate: this.#fate, isInit }),
      podText: this.#podText,
      restarts: (exitCode) => kind !== 'ephemeral' && this.#restarts(container, exitCode, isInit),
      now,
      elapsedMs,
    });
    append(this.#events, step.events);
    this.#wakeInMs = Math.min(this.#wakeInMs, step.wakeInMs);
    return step.status;
  }

  #restarts(container: JsonDraft, exitCode: number, isInit: boolean): boolean {
    return isRestarted(container, { podPolicy: this.#podPolicy, isInit }, exitCode);
  }
}

/** Returns the milliseconds until the Pod exceeds its `activeDeadlineSeconds`. */
function deadlineMs(pod: ApiObject, { elapsedMs }: PodSetting): number {
  const seconds = numberAt(pod, 'spec', 'activeDeadlineSeconds');
  const startedAt = stringAt(pod, 'status', 'startTime');
  if (seconds === undefined || startedAt === '') return Number.POSITIVE_INFINITY;
  return seconds * 1000 - elapsedMs({ state: { running: { startedAt } } });
}

/** Returns the Pod after its containers were ended because of its `activeDeadlineSeconds`. */
function afterDeadline(pod: ApiObject, now: string): ApiObject {
  const status: JsonDraft = { ...objectAt(pod, 'status') };
  for (const field of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const) {
    const known = objectsAt(pod, 'status', field);
    if (known.length === 0) continue;
    status[field] = known.map((each) => (isRunning(each) ? endedStatus(each, { exitCode: killed, now }) : each));
  }
  const parts = { containers: [], initContainers: [], phase: 'Failed', isInitialized: true };
  const message = 'Pod was active on the node longer than the specified deadline';
  Object.assign(status, { phase: 'Failed', reason: 'DeadlineExceeded', message });
  return { ...pod, status: { ...status, conditions: podConditions(pod, parts, now) } };
}

/** Returns the milliseconds that the containers of a deleted Pod need to end, at most its grace period. */
export function stopsAfterMs(pod: ApiObject, simulated: SimulatedPods): number {
  if (isFinished(pod) || isStarting(pod)) return 0;
  const graceMs = (numberAt(pod.metadata, 'deletionGracePeriodSeconds') ?? 0) * 1000;
  const fate = fateOf(pod);
  const times = objectsAt(pod, 'spec', 'containers').map((container) => {
    const preStopMs = (numberAt(container, 'lifecycle', 'preStop', 'sleep', 'seconds') ?? 0) * 1000;
    return preStopMs + planOf(pod, container, { simulated, fate, isInit: false }).stopAfterMs;
  });
  return Math.min(graceMs, Math.max(0, mostOf(times)));
}

function isRunning(status: JsonDraft): boolean {
  return objectAt(status, 'state')['running'] !== undefined;
}

function exitCodeOf(status: JsonDraft | undefined): number | undefined {
  return numberAt(status, 'state', 'terminated', 'exitCode');
}
