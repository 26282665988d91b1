import { isReady, type KubeObject } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Pod } from '@kubewright/api/core/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { TimeLimit } from '../command/time-limit.js';
import { describeObject, type KubeApi } from './kube-api.js';
import { podProblem, type PodProblem } from './pod-problem.js';

/** The options of `rolledOut`. */
export interface RolloutOptions {
  /** The time limit in milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Called with the state of the rollout, such as '0 of 1 available', whenever the state changes. */
  readonly progress: (text: string) => void;
}

/**
 * Waits until a Deployment is available with its latest configuration.
 * @throws KubewrightError NOT_AVAILABLE with the reason when the time limit is exceeded, or earlier if a problem is permanent
 */
export async function rolledOut(api: KubeApi, deployment: KubeObject, options: RolloutOptions): Promise<void> {
  const { signal, progress, limitMs } = options;
  using limit = new TimeLimit(signal, limitMs);
  const { namespace = '', name } = deployment.metadata;
  // Does not wait for the first lists, which the API server may reject or delay for longer than the time limit.
  const fields = { 'metadata.name': name };
  await using deployments = await api.cache.acquire(Deployment, { namespaces: [namespace], fields });
  await using pods = await api.cache.acquire(Pod, { namespaces: [namespace] });
  let reported = '';
  const isOver = (): boolean => {
    const now = deployments.get({ namespace, name });
    if (now === undefined && !deployments.hasSynced) return false;
    if (now !== undefined && isReady(now)) return true;
    const state = stateOf(now, pods.list());
    if (state.problem?.isFinal === true) throw notAvailable(deployment, state.problem.text);
    if (state.text !== reported) progress(state.text);
    reported = state.text;
    return false;
  };
  if (isOver()) return;
  const changed = new AbortController();
  const both = AbortSignal.any([limit.signal, changed.signal]);
  try {
    await Promise.race([
      until(deployments.changes({ signal: both }), isOver),
      until(pods.changes({ signal: both }), isOver),
    ]);
  } finally {
    changed.abort();
  }
  if (isOver()) return;
  signal.throwIfAborted();
  const problem = deployments.status.problem ?? pods.status.problem;
  const why = problem === undefined ? '' : `: ${problem.message}`;
  throw notAvailable(deployment, `${reported || 'its state is unknown'} after ${limitMs / 1000} s${why}`);
}

async function until(changes: AsyncIterable<unknown>, isOver: () => boolean): Promise<void> {
  for await (const _change of changes) if (isOver()) return;
}

/** Returns the state of a rollout as text, and a problem of the Deployment or its Pods if there is one. Prefers a permanent problem. */
function stateOf(
  deployment: Deployment | undefined,
  all: readonly Pod[],
): { readonly text: string; readonly problem?: PodProblem } {
  if (deployment === undefined) return { text: 'the Deployment does not exist yet' };
  const { replicas = 1 } = deployment.spec ?? {};
  const { availableReplicas = 0, conditions = [] } = deployment.status ?? {};
  const text = `${availableReplicas} of ${replicas} available`;
  const failure = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  if (failure !== undefined) {
    const problem = { text: `its Pods cannot be created: ${failure.message ?? failure.reason ?? ''}`, isFinal: true };
    return { text: `${text}: ${problem.text}`, problem };
  }
  const labels = Object.entries(deployment.spec?.selector.matchLabels ?? {});
  const problems = all
    .filter(({ metadata }) => labels.every(([name, value]) => metadata.labels?.[name] === value))
    .flatMap((pod) => podProblem(pod) ?? []);
  const problem = problems.find(({ isFinal }) => isFinal) ?? problems[0];
  return problem === undefined ? { text } : { text: `${text}: ${problem.text}`, problem };
}

function notAvailable(deployment: KubeObject, why: string): KubewrightError {
  return new KubewrightError('NOT_AVAILABLE', `${describeObject(deployment)} is not available: ${why}`);
}
