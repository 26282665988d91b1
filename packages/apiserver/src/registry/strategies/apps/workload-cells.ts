import { formatLabels } from '@kubewright/api/selectors';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import { formatSelector } from '../../objects/format-selector.js';

/**
 * Returns the table row of a Deployment: name, ready, up-to-date, available and age. The wide columns are containers, images and selector.
 */
export function deploymentCells(deployment: ApiObject, now: Date): readonly unknown[] {
  return [
    deployment.metadata.name,
    readyOfDesired(deployment),
    statusCount(deployment, 'updatedReplicas'),
    statusCount(deployment, 'availableReplicas'),
    age(deployment.metadata.creationTimestamp, now),
    ...templateCells(objectAt(deployment, 'spec')),
  ];
}

/** Returns the table row of a ReplicaSet: name, desired, current, ready and age. The wide columns are containers, images and selector. */
export function replicaSetCells(replicaSet: ApiObject, now: Date): readonly unknown[] {
  return [
    replicaSet.metadata.name,
    numberAt(replicaSet, 'spec', 'replicas') ?? 0,
    statusCount(replicaSet, 'replicas'),
    statusCount(replicaSet, 'readyReplicas'),
    age(replicaSet.metadata.creationTimestamp, now),
    ...templateCells(objectAt(replicaSet, 'spec')),
  ];
}

/** Returns the table row of a StatefulSet: name, ready and age. The wide columns are containers and images. */
export function statefulSetCells(set: ApiObject, now: Date): readonly unknown[] {
  return [
    set.metadata.name,
    readyOfDesired(set),
    age(set.metadata.creationTimestamp, now),
    ...templateCells(objectAt(set, 'spec')).slice(0, 2),
  ];
}

/**
 * Returns the table row of a DaemonSet: name, desired, current, ready, up-to-date, available, node selector and age. The wide columns are
 * containers, images and selector.
 */
export function daemonSetCells(set: ApiObject, now: Date): readonly unknown[] {
  const fields = ['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady'];
  const selector = objectAt(set, 'spec', 'template', 'spec', 'nodeSelector') as Record<string, string>;
  return [
    set.metadata.name,
    ...[...fields, 'updatedNumberScheduled', 'numberAvailable'].map((field) => statusCount(set, field)),
    formatLabels(selector) || '<none>',
    age(set.metadata.creationTimestamp, now),
    ...templateCells(objectAt(set, 'spec')),
  ];
}

/** Returns the cells of a spec with a Pod template: container names, images and selector. */
export function templateCells(spec: JsonDraft): readonly string[] {
  const containers = objectsAt(spec, 'template', 'spec', 'containers');
  const joined = (field: string): string =>
    containers.map((container: JsonDraft) => stringAt(container, field)).join(',');
  const selector = spec['selector'] === undefined ? '<none>' : formatSelector(objectAt(spec, 'selector'));
  return [joined('name'), joined('image'), selector || '<none>'];
}

function readyOfDesired(workload: ApiObject): string {
  return `${statusCount(workload, 'readyReplicas')}/${numberAt(workload, 'spec', 'replicas') ?? 0}`;
}

function statusCount(object: ApiObject, field: string): number {
  return numberAt(object, 'status', field) ?? 0;
}
