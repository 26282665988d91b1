import { type ApiObject, type JsonDraft, numberAt, objectAt, objectsAt, stringAt } from '../json-object.js';
import { formatSelector } from '../scale.js';
import { age } from '../age.js';

/** The row of a Deployment: name, ready, up-to-date, available, age, and wide: containers, images, selector. */
export function deploymentCells(deployment: ApiObject, now: Date): readonly unknown[] {
  const ready = numberAt(deployment, 'status', 'readyReplicas') ?? 0;
  return [
    deployment.metadata.name,
    `${ready}/${numberAt(deployment, 'spec', 'replicas') ?? 0}`,
    String(numberAt(deployment, 'status', 'updatedReplicas') ?? 0),
    String(numberAt(deployment, 'status', 'availableReplicas') ?? 0),
    age(deployment.metadata.creationTimestamp, now),
    ...templateCells(deployment),
  ];
}

/** The row of a ReplicaSet: name, desired, current, ready, age, and wide: containers, images, selector. */
export function replicaSetCells(replicaSet: ApiObject, now: Date): readonly unknown[] {
  return [
    replicaSet.metadata.name,
    numberAt(replicaSet, 'spec', 'replicas') ?? 0,
    numberAt(replicaSet, 'status', 'replicas') ?? 0,
    numberAt(replicaSet, 'status', 'readyReplicas') ?? 0,
    age(replicaSet.metadata.creationTimestamp, now),
    ...templateCells(replicaSet),
  ];
}

function templateCells(workload: ApiObject): readonly string[] {
  const containers = objectsAt(workload, 'spec', 'template', 'spec', 'containers');
  const joined = (field: string): string =>
    containers.map((container: JsonDraft) => stringAt(container, field)).join(',');
  return [joined('name'), joined('image'), formatSelector(objectAt(workload, 'spec', 'selector'))];
}
