import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { IndexSet } from './job-indexes.js';

/** The result of a Job's failure policy for a failed Pod. */
export interface FailureVerdict {
  /** Whether the failure counts toward `backoffLimit`. */
  readonly counts: boolean;
  /** Whether the failure fails the index of the Pod, even if the index has not reached its limit. */
  readonly failsIndex?: boolean;
  /** The message of the condition if the failure fails the Job. */
  readonly failsJob?: string;
}

/** Returns the result of the first rule of the failure policy that matches a failed Pod. If no rule matches, the failure counts. */
export function failureVerdict(job: ApiObject, pod: ApiObject): FailureVerdict {
  for (const [at, rule] of objectsAt(job, 'spec', 'podFailurePolicy', 'rules').entries()) {
    const what = matchRule(rule, pod);
    if (what === undefined) continue;
    const action = stringAt(rule, 'action');
    if (action === 'Ignore') return { counts: false };
    if (action === 'Count') return { counts: true };
    if (action === 'FailIndex') return { counts: true, failsIndex: true };
    if (action === 'FailJob') return { counts: true, failsJob: `${what} matching ${action} rule at index ${at}` };
  }
  return { counts: true };
}

/**
 * Returns a message with the position of the first rule of the success policy that the completed indexes meet. Returns undefined if the
 * indexes do not meet any rule.
 */
export function successReached(job: ApiObject, completed: IndexSet): string | undefined {
  for (const [at, rule] of objectsAt(job, 'spec', 'successPolicy', 'rules').entries()) {
    const listed = typeof rule['succeededIndexes'] === 'string' ? IndexSet.parse(rule['succeededIndexes']) : undefined;
    const met = listed === undefined ? completed.size : listed.countCommon(completed);
    const count = typeof rule['succeededCount'] === 'number' ? rule['succeededCount'] : listed?.size;
    if (count !== undefined && met >= count) return `Matched rules at index ${at}`;
  }
  return undefined;
}

function matchRule(rule: JsonDraft, pod: ApiObject): string | undefined {
  const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
  if (rule['onExitCodes'] !== undefined) {
    const container = failedContainer(objectAt(rule, 'onExitCodes'), pod);
    if (container === undefined) return undefined;
    const { exitCode } = objectAt(container, 'state', 'terminated');
    return `Container ${stringAt(container, 'name')} for pod ${name} failed with exit code ${String(exitCode)}`;
  }
  const patterns = objectsAt(rule, 'onPodConditions');
  const condition = objectsAt(pod, 'status', 'conditions').find((found) =>
    patterns.some(({ type, status }) => found['type'] === type && found['status'] === (status ?? 'True')),
  );
  return condition === undefined ? undefined : `Pod ${name} has condition ${stringAt(condition, 'type')}`;
}

function failedContainer(requirement: JsonDraft, pod: ApiObject): JsonDraft | undefined {
  const statuses = [
    ...objectsAt(pod, 'status', 'containerStatuses'),
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
  ];
  const values = Array.isArray(requirement['values']) ? requirement['values'] : [];
  return statuses.find((status) => {
    const { exitCode } = objectAt(status, 'state', 'terminated');
    if (typeof exitCode !== 'number' || exitCode === 0) return false;
    if (requirement['containerName'] !== undefined && requirement['containerName'] !== status['name']) return false;
    return values.includes(exitCode) === (requirement['operator'] === 'In');
  });
}
