import type { CustomResourceDefinitionVersion } from '../generated/apiextensions/v1.js';
import { fieldAt } from '../crd/printer-columns.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';

type Version = CustomResourceDefinitionVersion;
const PATHS = ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'] as const;
/** The effect of a changed path on clients of `/scale`. */
const REASONS: Readonly<Record<(typeof PATHS)[number], string>> = {
  specReplicasPath: 'kubectl scale and autoscalers read and write a different field, which stored objects do not have',
  statusReplicasPath:
    'autoscalers read the current number of replicas from a different field, which stored objects do not have',
  labelSelectorPath:
    'autoscalers read the label selector of the Pods from a different field, which stored objects do not have',
};

/** Returns the changes of `/status` and `/scale`. */
export function compareSubresources(before: Version, after: Version): readonly LocalFinding[] {
  return [...compareStatus(before, after), ...compareScale(before, after)];
}

function compareStatus(before: Version, after: Version): readonly LocalFinding[] {
  const [was, is] = [before.subresources?.status !== undefined, after.subresources?.status !== undefined];
  if (was === is) return [];
  const path = 'subresources.status';
  if (was) {
    const reason =
      'writes to /status fail with 404 Not Found, and each client with write permission on the object can change its status';
    return [{ path, change: 'subresource removed', class: 'breaking', reason, remedy: 'keep the subresource' }];
  }
  if (fieldOf(before, '.status') === undefined) {
    return [{ path, change: 'subresource added', class: 'safe', reason: 'the old schema has no status field' }];
  }
  const reason = 'the API server ignores the status in writes to the object';
  const remedy =
    'first release a controller that writes to /status, and writes to the object if /status returns 404 Not Found';
  return [{ path, change: 'subresource added', class: 'breaking', reason, remedy }];
}

function compareScale(before: Version, after: Version): readonly LocalFinding[] {
  const [was, is] = [before.subresources?.scale, after.subresources?.scale];
  if (was === undefined) return is === undefined ? [] : [addedScale(before, is.specReplicasPath)];
  const path = 'subresources.scale';
  if (is === undefined) {
    const reason = 'kubectl scale and autoscalers fail with 404 Not Found';
    return [{ path, change: 'subresource removed', class: 'breaking', reason, remedy: 'keep the subresource' }];
  }
  return PATHS.filter((key) => was[key] !== is[key]).map((key): LocalFinding => {
    const change = `${was[key] ?? 'none'} → ${is[key] ?? 'none'}`;
    if (was[key] === undefined) {
      return { path: `${path}.${key}`, change, class: 'safe', reason: 'autoscalers can find the Pods' };
    }
    const reason =
      is[key] === undefined
        ? '/scale no longer has a label selector, so autoscalers cannot find the Pods'
        : REASONS[key];
    return { path: `${path}.${key}`, change, class: 'breaking', reason, remedy: 'keep the path' };
  });
}

function addedScale(before: Version, replicas: string): LocalFinding {
  const path = 'subresources.scale';
  const { minimum = -1 } = fieldOf(before, replicas) ?? { minimum: 0 };
  if (minimum >= 0)
    return { path, change: 'subresource added', class: 'safe', reason: 'no client scales the objects yet' };
  const reason = `every update of an object with a negative ${replicas} is rejected`;
  const remedy = 'first release a version with minimum: 0 on the field';
  return { path, change: 'subresource added', class: 'breaking', reason, remedy };
}

function fieldOf({ schema }: Version, path: string): StructuralSchema | undefined {
  return fieldAt(path, (schema?.openAPIV3Schema ?? {}) as StructuralSchema);
}
