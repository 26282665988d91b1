/** The fields of a Pod that its readiness depends on. */
interface PodLike {
  readonly [field: string]: unknown;
}
interface Condition {
  readonly type: string;
  readonly status: string;
}
interface ContainerStatus {
  readonly restartCount?: number;
  readonly state?: unknown;
}
interface PodStatus {
  readonly conditions?: readonly Condition[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

const READINESS = new Set(['Ready', 'ContainersReady']);

/** Returns the Pod as a kubelet reports it when the containers crash repeatedly. */
export function crashing<T extends PodLike>(pod: T): T {
  return withReadiness(pod, 'False', ({ restartCount = 0, ...container }) => ({
    ...container,
    ready: false,
    started: false,
    restartCount: restartCount + 1,
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' } },
    lastState: { terminated: { exitCode: 1, reason: 'Error' } },
  }));
}

/** Returns the Pod as a kubelet reports it when the containers run and are ready. */
export function ready<T extends PodLike>(pod: T): T {
  const { startTime } = statusOf(pod) as { readonly startTime?: string };
  return withReadiness(pod, 'True', (container) => ({
    ...container,
    ready: true,
    started: true,
    state: { running: { startedAt: startTime } },
  }));
}

function withReadiness<T extends PodLike>(
  pod: T,
  status: 'True' | 'False',
  change: (container: ContainerStatus) => ContainerStatus,
): T {
  const { conditions = [], containerStatuses = [], ...rest } = statusOf(pod);
  return {
    ...pod,
    status: {
      ...rest,
      conditions: conditions.map((condition) => (READINESS.has(condition.type) ? { ...condition, status } : condition)),
      containerStatuses: containerStatuses.map(change),
    },
  };
}

function statusOf(pod: PodLike): PodStatus {
  return pod['status'] ?? {};
}
