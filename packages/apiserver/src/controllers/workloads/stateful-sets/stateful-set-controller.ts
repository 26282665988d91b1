import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { claimed } from '../pods/claims.js';
import { type OwnerKind, queueOwners } from '../pods/owner-queue.js';
import { writeStatus } from '../pods/write-status.js';
import { ownerSelector } from '../../objects/owner-selector.js';
import { readiness } from '../../objects/pod-state.js';
import { forgetRevisions, type HistoryOwner, revisionsOf, updateRevision } from '../pods/revision-history.js';
import { ordinalOf, revisionLabel } from './stateful-set-identity.js';
import { type StatefulSetRevisions, StatefulSetWork } from './stateful-set-work.js';

const owner: OwnerKind = {
  bucket: 'apps/statefulsets',
  group: 'apps',
  kind: 'StatefulSet',
  controls: ['/pods', 'apps/controllerrevisions'],
};

/**
 * Maintains one Pod for each ordinal of a StatefulSet, and the claims of these Pods. Updates the Pods to a new template in descending order
 * of ordinals.
 */
export class StatefulSetController implements Controller {
  readonly name = 'statefulset-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    queueOwners(event, owner, { index: this.#setting.index, queue });
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const set = this.#sets.find(parseKey(key));
    if (set === undefined) return;
    const history: HistoryOwner = {
      setting: this.#setting,
      owner: set,
      name: this.name,
      hashLabel: 'controller.kubernetes.io/hash',
    };
    const { revision: update, collisions } = yield* updateRevision(history);
    const currentName = stringAt(set, 'status', 'currentRevision');
    const current = (yield* revisionsOf(history)).find(({ metadata }) => metadata.name === currentName) ?? update;
    const revisions = { current, update };
    const failure = yield* this.#advance(set, revisions);
    const pods = yield* this.#podsOf(set);
    const now = this.#setting.registry.clock.now();
    const counts = readiness(pods.filter(isRunning), {
      minReadySeconds: numberAt(set, 'spec', 'minReadySeconds') ?? 0,
      now,
    });
    const status = statusOf(set, { pods, revisions, collisions, counts });
    yield* writeStatus(this.#sets, set, { status, name: this.name });
    const used = new Set(pods.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? ''));
    for (const { metadata } of [update, current]) used.add(metadata.name);
    const isUsed = ({ metadata }: ApiObject): boolean => used.has(metadata.name);
    yield* forgetRevisions(history, { isUsed, counts: (revision) => !isUsed(revision) });
    if (failure !== undefined) throw failure.error;
    if (counts.nextInMs !== undefined) queue.addAfter(key, counts.nextInMs);
  }

  /** Moves the Pods closer to the desired state. Returns the error, if any, so that the caller always writes the status. */
  *#advance(set: ApiObject, revisions: StatefulSetRevisions): Steps<{ readonly error: unknown } | undefined> {
    if (set.metadata.deletionTimestamp !== undefined) return undefined;
    try {
      yield* new StatefulSetWork(this.#setting, set, revisions).advance(yield* this.#podsOf(set));
    } catch (error) {
      return { error };
    }
    return undefined;
  }

  *#podsOf(set: ApiObject): Steps<readonly ApiObject[]> {
    const selector = ownerSelector(set);
    const adopts = (pod: ApiObject): boolean => ordinalOf(set, pod) >= 0;
    const pods = yield* claimed(this.#setting, { owner: set, bucket: '/pods', selector, name: this.name, adopts });
    return pods.filter(adopts);
  }

  get #sets() {
    return this.#setting.registry.builtIn('apps/v1/statefulsets');
  }
}

function isRunning(pod: ApiObject): boolean {
  return stringAt(pod, 'status', 'phase') === 'Running';
}

/** Returns the status of the set, with the generation that the controller has read. */
function statusOf(
  set: ApiObject,
  state: {
    readonly pods: readonly ApiObject[];
    readonly revisions: StatefulSetRevisions;
    readonly collisions: number;
    readonly counts: { readonly ready: number; readonly available: number };
  },
): JsonDraft {
  const { pods, counts, collisions } = state;
  const { current, update } = state.revisions;
  const of = ({ metadata }: ApiObject): number =>
    pods.filter(
      (pod) => pod.metadata.deletionTimestamp === undefined && pod.metadata.labels?.[revisionLabel] === metadata.name,
    ).length;
  const replicas = numberAt(set, 'spec', 'replicas') ?? 1;
  const updated = of(update);
  const rolling = stringAt(set, 'spec', 'updateStrategy', 'type') === 'RollingUpdate';
  const complete = rolling && [updated, counts.ready, pods.length].every((count) => count === replicas);
  const currentReplicas = complete ? updated : of(current);
  const status: JsonDraft = {
    availableReplicas: counts.available,
    collisionCount: collisions,
    currentRevision: complete ? update.metadata.name : current.metadata.name,
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    updateRevision: update.metadata.name,
  };
  if (currentReplicas > 0) status['currentReplicas'] = currentReplicas;
  if (counts.ready > 0) status['readyReplicas'] = counts.ready;
  if (updated > 0) status['updatedReplicas'] = updated;
  return status;
}
