import { type ApiObject, type JsonDraft, numberAt, objectsAt } from '../../registry/json-object.js';
import { rolloutLimits } from './rollout.js';

/** The Deployment with the status that its ReplicaSets make, new first. */
export function withDeploymentStatus(
  live: ApiObject,
  sets: { readonly current: ApiObject | undefined; readonly all: readonly ApiObject[]; readonly now: string },
): unknown {
  const counts = countsOf(live, sets);
  const status: JsonDraft = { observedGeneration: live.metadata.generation };
  for (const [name, count] of Object.entries(counts)) if (count > 0) status[name] = count;
  status['conditions'] = conditionsOf(live, { ...sets, counts });
  return { ...live, status };
}

type Counts = Readonly<
  Record<'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas' | 'unavailableReplicas', number>
>;

function countsOf(
  live: ApiObject,
  { current, all }: { readonly current: ApiObject | undefined; readonly all: readonly ApiObject[] },
): Counts {
  const sum = (field: string): number => all.reduce((total, set) => total + (numberAt(set, 'status', field) ?? 0), 0);
  const replicas = sum('replicas');
  const availableReplicas = sum('availableReplicas');
  const wanted = all.reduce((total, set) => total + (numberAt(set, 'spec', 'replicas') ?? 0), 0);
  return {
    replicas,
    updatedReplicas: numberAt(current, 'status', 'replicas') ?? 0,
    readyReplicas: sum('readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, Math.max(wanted, rolloutLimits(live).replicas) - availableReplicas),
  };
}

function conditionsOf(
  live: ApiObject,
  { current, now, counts }: { readonly current: ApiObject | undefined; readonly now: string; readonly counts: Counts },
): readonly JsonDraft[] {
  const { replicas, maxUnavailable } = rolloutLimits(live);
  const isAvailable = counts.availableReplicas >= replicas - maxUnavailable;
  const isComplete =
    counts.updatedReplicas === replicas && counts.replicas === replicas && counts.availableReplicas === replicas;
  const name = current?.metadata.name ?? '';
  const progress = isComplete
    ? { reason: 'NewReplicaSetAvailable', message: `ReplicaSet "${name}" has successfully progressed.` }
    : { reason: 'ReplicaSetUpdated', message: `ReplicaSet "${name}" is progressing.` };
  const available = isAvailable
    ? { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : { reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' };
  const kept = objectsAt(live, 'status', 'conditions');
  return [
    renewed(kept, { type: 'Available', status: isAvailable ? 'True' : 'False', ...available }, now),
    renewed(kept, { type: 'Progressing', status: 'True', ...progress }, now),
    ...kept.filter(({ type }) => type !== 'Available' && type !== 'Progressing'),
  ];
}

/** A condition keeps its times while nothing of it changes, and its transition time while the status stays. */
function renewed(
  kept: readonly JsonDraft[],
  next: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string },
  now: string,
): JsonDraft {
  const known = kept.find(({ type }) => type === next.type);
  if (known?.['status'] === next.status && known['reason'] === next.reason && known['message'] === next.message) {
    return known;
  }
  const lastTransitionTime = known?.['status'] === next.status ? known['lastTransitionTime'] : now;
  return { ...next, lastTransitionTime, lastUpdateTime: now };
}
