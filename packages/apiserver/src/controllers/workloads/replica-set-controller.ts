import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../../registry/json-object.js';
import type { Registry } from '../../registry/registry.js';
import { systemContext } from '../../registry/request-context.js';
import { keyText, parseKey } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { controlledBy, controllerReference, isControlledBy } from './controller-reference.js';

/** Keeps as many Pods as a ReplicaSet asks for, and says in its status how many there are. */
export class ReplicaSetController implements Controller {
  readonly name = 'replicaset-controller';
  readonly #registry: Registry;

  constructor({ registry }: ControllerSetting) {
    this.#registry = registry;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === 'apps/replicasets' && type !== 'DELETED') queue.add(keyText(object.metadata));
    if (bucket !== '/pods') return;
    const owner = controlledBy(object as unknown as ApiObject);
    if (owner?.kind !== 'ReplicaSet') return;
    queue.add(keyText({ name: owner.name, namespace: object.metadata.namespace }));
  }

  sync(key: string): void {
    const replicaSets = this.#registry.builtIn('apps/v1/replicasets');
    const replicaSet = replicaSets.find(parseKey(key));
    if (replicaSet === undefined) return;
    if (replicaSet.metadata.deletionTimestamp === undefined) this.#manage(replicaSet);
    const pods = this.#pods(replicaSet);
    const context = systemContext(this.name, 'update', 'status');
    replicaSets.update(replicaSet.metadata, (live) => withStatus(live, pods), context);
  }

  /** The Pods of a ReplicaSet that are neither finished nor being deleted. */
  #pods(replicaSet: ApiObject): readonly ApiObject[] {
    const { namespace } = replicaSet.metadata;
    const all = this.#registry.store.list('/pods', { namespace }) as unknown as readonly ApiObject[];
    return all.filter(
      (pod) =>
        isControlledBy(pod, replicaSet) &&
        pod.metadata.deletionTimestamp === undefined &&
        !['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase')),
    );
  }

  #manage(replicaSet: ApiObject): void {
    const pods = this.#registry.builtIn('/v1/pods');
    const present = this.#pods(replicaSet);
    const wanted = numberAt(replicaSet, 'spec', 'replicas') ?? 1;
    for (let count = present.length; count < wanted; count += 1) {
      pods.create(newPod(replicaSet), systemContext(this.name, 'create'));
    }
    if (present.length <= wanted) return;
    // Those that are not ready go first, then the youngest.
    const order = present.toSorted(
      (a, b) =>
        Number(isReady(a)) - Number(isReady(b)) ||
        Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion),
    );
    for (const pod of order.slice(0, present.length - wanted)) {
      pods.delete(pod.metadata, {}, systemContext(this.name, 'delete'));
    }
  }
}

/** Whether the Pod reports that it can serve. */
export function isReady(pod: ApiObject): boolean {
  return objectsAt(pod, 'status', 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True');
}

function newPod(replicaSet: ApiObject): unknown {
  const template = objectAt(replicaSet, 'spec', 'template');
  const { labels, annotations } = objectAt(template, 'metadata');
  return copyJson({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${replicaSet.metadata.name}-`,
      namespace: replicaSet.metadata.namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(replicaSet)],
    },
    spec: template['spec'],
  });
}

function withStatus(live: ApiObject, pods: readonly ApiObject[]): unknown {
  const status: JsonDraft = { replicas: pods.length, observedGeneration: live.metadata.generation };
  const ready = pods.filter(isReady).length;
  if (pods.length > 0) status['fullyLabeledReplicas'] = pods.length;
  if (ready > 0) Object.assign(status, { readyReplicas: ready, availableReplicas: ready });
  const conditions = objectsAt(live, 'status', 'conditions');
  if (conditions.length > 0) status['conditions'] = conditions;
  return { ...live, status };
}
