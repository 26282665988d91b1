import type { Steps } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { stringAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { claimed } from '../pods/claims.js';
import { type OwnerKind, queueOwners } from '../pods/owner-queue.js';
import { writeStatus } from '../pods/write-status.js';
import { ownerSelector } from '../../objects/owner-selector.js';
import { daemonHashLabel } from './daemon-pod.js';
import { type BackOffs, DaemonSetWork } from './daemon-set-work.js';
import { isNamespaceTerminating } from '../pods/pod-control.js';
import { forgetRevisions, type HistoryOwner, updateRevision } from '../pods/revision-history.js';

const owner: OwnerKind = {
  bucket: 'apps/daemonsets',
  group: 'apps',
  kind: 'DaemonSet',
  controls: ['/pods', 'apps/controllerrevisions'],
};

/** Maintains one Pod of a DaemonSet on each selected node. */
export class DaemonSetController implements Controller {
  readonly name = 'daemon-set-controller';
  readonly #setting: ControllerSetting;
  readonly #nodes = new Map<string, ApiObject>();
  readonly #backOffs: BackOffs = new Map();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    const { type, bucket, object } = event;
    if (bucket === '/nodes') this.#observeNode(object, type === 'DELETED', queue);
    queueOwners(event, owner, { index: this.#setting.index, queue });
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const set = this.#sets.find(parseKey(key));
    if (set === undefined) return;
    if (ownerSelector(set).empty) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      const text = { type: 'Warning', reason: 'SelectingAll', message } as const;
      this.#setting.events.record(set, text, { component: 'daemonset-controller' });
      return;
    }
    if (set.metadata.deletionTimestamp !== undefined) return;
    const history: HistoryOwner = { setting: this.#setting, owner: set, name: this.name, hashLabel: daemonHashLabel };
    const { revision } = yield* updateRevision(history);
    const hash = revision.metadata.labels?.[daemonHashLabel] ?? '';
    const failure = yield* this.#advance(set, { hash, queue, key });
    const { status, nextInMs } = (yield* this.#work(set, hash)).status();
    yield* writeStatus(this.#sets, set, { status, name: this.name });
    yield* this.#forget(history, hash);
    if (nextInMs !== undefined) queue.addAfter(key, nextInMs);
    if (failure !== undefined && !isNamespaceTerminating(failure.error)) throw failure.error;
  }

  *#advance(
    set: ApiObject,
    { hash, queue, key }: { readonly hash: string; readonly queue: KeyQueue; readonly key: string },
  ): Steps<{ readonly error: unknown } | undefined> {
    const work = yield* this.#work(set, hash);
    try {
      const settled = yield* work.manage(this.#backOffs);
      if (work.againInMs !== undefined) queue.addAfter(key, work.againInMs);
      if (settled && stringAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete') yield* work.update();
    } catch (error) {
      return { error };
    }
    return undefined;
  }

  *#work(set: ApiObject, hash: string): Steps<DaemonSetWork> {
    const selector = ownerSelector(set);
    const pods = yield* claimed(this.#setting, { owner: set, bucket: '/pods', selector, name: this.name });
    return yield* DaemonSetWork.of(this.#setting, set, { hash, nodes: [...this.#nodes.values()], pods });
  }

  *#forget(history: HistoryOwner, hash: string): Steps<void> {
    const hashes = new Set([hash]);
    for (const { metadata } of this.#setting.index.controlledBy(history.owner, '/pods')) {
      hashes.add(metadata.labels?.[daemonHashLabel] ?? '');
    }
    const hashOf = ({ metadata }: ApiObject): string => metadata.labels?.[daemonHashLabel] ?? '';
    yield* forgetRevisions(history, {
      isUsed: (revision) => hashes.has(hashOf(revision)),
      counts: (revision) => hashOf(revision) !== hash,
    });
  }

  #observeNode(node: ApiObject, deleted: boolean, queue: KeyQueue): void {
    const { name } = node.metadata;
    const before = this.#nodes.get(name);
    if (deleted) this.#nodes.delete(name);
    else this.#nodes.set(name, node);
    if (before !== undefined && !deleted && isSamePlace(before, node)) return;
    for (const set of this.#setting.index.all(owner.bucket)) queue.add(keyText(set.metadata));
  }

  get #sets() {
    return this.#setting.registry.builtIn('apps/v1/daemonsets');
  }
}

/** Returns whether two nodes are equal in the fields that determine the placement of DaemonSet Pods. */
function isSamePlace(a: ApiObject, b: ApiObject): boolean {
  return deepEqual(a.metadata.labels, b.metadata.labels) && deepEqual(a['spec'], b['spec']);
}
