import { isControlledBy, type KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { Change } from '../../cache/store/change.js';
import { parseKey } from '../../cache/store/object-key.js';
import { describe } from '../../client/requests/target.js';
import type { SentWrite, Write } from '../../client/scope/write.js';
import type { OpenWatch } from '../informers/controller-sources.js';
import type { ControllerInformer } from '../informers/controller-informer.js';
import { OwnWrites } from './own-writes.js';
import type { ReconciledObject } from './reconciled-object.js';

/** The objects and watches of a controller that `Echoes` needs. */
export interface EchoesOptions {
  readonly reconciled: ReconciledObject;
  readonly informer: ControllerInformer<KubeObject>;
  readonly watches: () => readonly OpenWatch[];
}

/**
 * Recognizes echoes, which are changes that were caused by the controller's own reconciles: writes to the reconciled object, and applies to
 * its children. An echo contains nothing new, because the reconcile already received the response to the write. Deletions, and
 * writes to children other than applies, are not echoes, because some reconciles wait for these changes.
 */
export class Echoes {
  readonly #using: EchoesOptions;
  readonly #ownWrites = new OwnWrites();

  constructor(using: EchoesOptions) {
    this.#using = using;
  }

  /** Records a write in a reconcile of the object with this id. */
  wrote(id: string, write: Write, sent: SentWrite | undefined): void {
    const { reconciled, informer } = this.#using;
    const { verb, object } = write;
    if (verb === 'delete' || verb === 'create') return;
    const body = sent?.body;
    const { resourceVersion } = object.metadata;
    if (reconciled.is(id, object)) {
      this.#ownWrites.record(id, resourceVersion, { epoch: informer.epoch, body });
      informer.wrote(object);
      return;
    }
    if (verb !== 'apply') return;
    const owner = informer.get(parseKey(id));
    const children = owner !== undefined && isControlledBy(object, owner) ? this.#childrenLike(object) : undefined;
    if (children === undefined) return;
    this.#ownWrites.record(childId(id, object), resourceVersion, { epoch: children.epoch, body });
  }

  /**
   * Whether a change of the reconciled object is an echo. Returns true only once per write. `epoch` is the epoch of the store when the
   * change arrived; see `RecordedWrite`.
   */
  isOwn(id: string, change: Change<KubeObject>, epoch: number | undefined): boolean {
    return this.#ownWrites.takeEcho(id, change, epoch);
  }
  /** Whether a change of a child is an echo of a write in a reconcile of this owner. */
  isOfChild(id: string, change: Change<KubeObject>, epoch: number | undefined): boolean {
    return this.#ownWrites.takeEcho(childId(id, change.object), change, epoch);
  }

  #childrenLike({ apiVersion, kind: name }: KubeObject): ControllerInformer<KubeObject> | undefined {
    const open = this.#using.watches().find(({ watch }) => {
      if (watch.type !== 'owned') return false;
      const info = kindOf(watch.kind);
      return info.kind === name && info.apiVersion === apiVersion;
    });
    return open?.informer;
  }
}

/** Returns an id for a child of one owner. The id contains the owner, because a write by one owner is not an echo for another owner. */
function childId(owner: string, child: KubeObject): string {
  return `${owner} ${describe(child.kind, child.metadata)}`;
}
