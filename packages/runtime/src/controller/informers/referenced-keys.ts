import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock, Timer } from '@kubewright/api/clock';
import type { Change } from '../../cache/store/change.js';
import { formatKey } from '../../cache/store/object-key.js';
import type { HandlerRegistration } from '../../cache/informer/handlers/change-handler.js';
import type { ControllerInformer } from './controller-informer.js';
import { referencedKeys } from '../watches/reference-index.js';
import type { ReferenceWatch } from '../watches/watch-declaration.js';

/** The time until an object is deselected after the last reference to it is removed, in milliseconds. */
const RELEASE_AFTER_MS = 10_000;

/** A referenced object and the number of reconciled objects that reference it. */
interface Referenced {
  readonly key: ObjectKey;
  owners: number;
  /** The time at which the object is deselected if no new reference is added before. */
  releaseMs: number;
}

/**
 * Selects exactly the objects that `references(…)` names, so that the cache watches only these objects. Selects an object when the first
 * reference to it is added, and deselects the object 10 s after the last reference is removed. Because of this delay, a reference that is
 * removed and added again does not close and reopen a watch.
 */
export class ReferencedKeys {
  readonly #watch: ReferenceWatch;
  readonly #informer: ControllerInformer<KubeObject>;
  readonly #clock: Clock;
  /** The keys that each reconciled object references. */
  readonly #byOwner = new Map<string, readonly string[]>();
  readonly #referenced = new Map<string, Referenced>();
  readonly #registration: HandlerRegistration;
  #release: Timer | undefined;
  #hasListed = false;
  #isSelecting = false;
  #isClosed = false;

  /** Selects those objects of `informer` that the objects of `primary` reference. */
  constructor(
    watch: ReferenceWatch,
    using: {
      readonly primary: ControllerInformer<KubeObject>;
      readonly informer: ControllerInformer<KubeObject>;
      readonly clock: Clock;
    },
  ) {
    this.#watch = watch;
    this.#informer = using.informer;
    this.#clock = using.clock;
    this.#registration = using.primary.addHandler({ onChange: (change) => this.#changed(change) });
    this.#registration.synced.then(
      () => {
        this.#hasListed = true;
        this.#select();
      },
      // The handler was removed before the first list was complete.
      () => this.close(),
    );
  }

  /** Stops updating the selection. */
  close(): void {
    this.#isClosed = true;
    this.#registration.remove();
    this.#release?.cancel();
  }

  #changed(change: Change<KubeObject>): void {
    const owner = formatKey(change.object.metadata);
    const before = this.#byOwner.get(owner) ?? [];
    const now = change.type === 'deleted' ? [] : this.#keysOf(change.object);
    if (now.length === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, now.map(formatKey));
    for (const key of now) this.#add(key);
    for (const id of before) this.#remove(id);
  }

  #add(key: ObjectKey): void {
    const id = formatKey(key);
    const known = this.#referenced.get(id);
    if (known !== undefined) {
      known.owners++;
      return;
    }
    this.#referenced.set(id, { key, owners: 1, releaseMs: Number.POSITIVE_INFINITY });
    this.#selectSoon();
  }

  #remove(id: string): void {
    const known = this.#referenced.get(id);
    if (known === undefined || --known.owners > 0 || this.#isClosed) return;
    known.releaseMs = this.#clock.monotonicMs() + RELEASE_AFTER_MS;
    this.#release ??= this.#clock.schedule(RELEASE_AFTER_MS, () => this.#releaseDue());
  }

  #releaseDue(): void {
    const nowMs = this.#clock.monotonicMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [id, { owners, releaseMs }] of this.#referenced) {
      if (owners > 0) continue;
      if (releaseMs <= nowMs) this.#referenced.delete(id);
      else nextMs = Math.min(nextMs, releaseMs);
    }
    const isOver = nextMs === Number.POSITIVE_INFINITY;
    this.#release = isOver ? undefined : this.#clock.schedule(nextMs - nowMs, () => this.#releaseDue());
    this.#select();
  }

  /** Schedules one update of the selection for all changes of an event or a list. */
  #selectSoon(): void {
    if (this.#isSelecting) return;
    this.#isSelecting = true;
    queueMicrotask(() => {
      this.#isSelecting = false;
      this.#select();
    });
  }

  #select(): void {
    if (this.#isClosed || !this.#hasListed) return;
    this.#informer.selectKeys([...this.#referenced.values()].map(({ key }) => key));
  }

  #keysOf(object: KubeObject): readonly ObjectKey[] {
    try {
      return referencedKeys(this.#watch.keys(object), object);
    } catch {
      // The index of the references reports the error. The object then references nothing.
      return [];
    }
  }
}
