import type { ContainerStatus, Pod } from '@kubewright/api/core/v1';

/** A reason why a Pod does not run. */
export interface PodProblem {
  /** The reason and, if known, a suggestion. */
  readonly text: string;
  /** Whether the problem is permanent, so that waiting does not help. */
  readonly isFinal: boolean;
}

/**
 * The number of restarts after which a failure counts as permanent. After fewer restarts, the cause may be a dependency that is not ready
 * yet.
 */
const MANY_RESTARTS = 2;

/**
 * Returns the reason why a Pod does not run; undefined if the Pod, its init containers and its containers report no problem. Checks the
 * init containers before the other containers, which start only after the init containers have succeeded.
 */
export function podProblem({ metadata: { name }, status }: Pod): PodProblem | undefined {
  const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled !== undefined)
    return { text: `Pod ${name} is not scheduled: ${unscheduled.message ?? ''}`, isFinal: false };
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  const problems = [
    ...initContainerStatuses.flatMap((container) => containerProblem(name, container, 'init') ?? []),
    ...containerStatuses.flatMap((container) => containerProblem(name, container, 'main') ?? []),
  ];
  return problems[0];
}

/** The role of a container in its Pod. */
type ContainerRole = 'init' | 'main';

function containerProblem(pod: string, container: ContainerStatus, role: ContainerRole): PodProblem | undefined {
  const { name, image, restartCount, state, lastState } = container;
  const { reason = '', message = '' } = state?.waiting ?? {};
  const why = message === '' ? reason : `${reason}: ${message}`;
  if (/^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull)$/.test(reason)) {
    const other =
      role === 'init' ? `correct the image of the init container ${name}` : 'pass another image with --image';
    const remedy = `push the image, load it into the nodes (kind load docker-image …), or ${other}`;
    return { text: `cannot pull the image ${image} (${why}); ${remedy}`, isFinal: reason !== 'ErrImagePull' };
  }
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended !== undefined && ended.exitCode !== 0) {
    const how =
      ended.reason === 'OOMKilled' ? 'because it exceeded its memory limit' : `with exit code ${ended.exitCode}`;
    const [what, log] =
      role === 'init' ? [`the init container ${name}`, `${pod} --container ${name}`] : ['the operator', pod];
    const text = `${what} in Pod ${pod} exited ${how} (restarts: ${restartCount}); see its log: kubectl logs ${log} --previous`;
    return { text, isFinal: restartCount >= MANY_RESTARTS };
  }
  if (/^(CreateContainerConfigError|CreateContainerError|RunContainerError)$/.test(reason)) {
    const text = `cannot start the ${role === 'init' ? `init container ${name}` : 'container'} of Pod ${pod} (${why}); correct the Pod template, or see: kubectl describe pod ${pod}`;
    return { text, isFinal: false };
  }
  return undefined;
}
