import type { KindRef, KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { Store } from '@kubewright/apiserver';
import type { OperatorUnderTest } from '../operator-under-test.js';
import { isWrittenByOperator } from '../state/operator-fields.js';
import { nameOf, objectName, stableNameOf, type StoredObject } from '../state/stored-object.js';
import { isDerived, type WorldState, worldState } from '../state/world-state.js';
import type { Versions } from './object-versions.js';
import { RESTLESS, type StoredContent, StoredObjects } from './stored-objects.js';

/** The components of a cluster that record events. */
const CLUSTER_REPORTERS = new Set(['kubelet', 'default-scheduler', 'kube-scheduler', 'persistentvolume-controller']);

/** What determines which objects of a server are part of a trial. */
export interface WorldObjectsUsing {
  readonly store: Store;
  readonly operator: OperatorUnderTest;
  /** The kind of the object that the steps declare. */
  readonly subject: KindRef;
  /** Returns the names of the copies of children that a stranger created. */
  readonly copies: () => ReadonlySet<string>;
}

/** The objects of a world. Computes comparable forms again only after a change of an object. */
export class WorldObjects {
  readonly #using: WorldObjectsUsing;
  readonly #stored: StoredObjects;
  readonly #isOfOperator: ReadonlySet<string>;
  #initial: ReadonlySet<string> = new Set();
  /** The number of changes for which the cached values are current. Undefined if the initial objects have changed. */
  #changes: number | undefined;
  #state: WorldState | undefined;
  #versions: Versions | undefined;

  constructor(using: WorldObjectsUsing) {
    this.#using = using;
    this.#stored = new StoredObjects(using.store);
    this.#isOfOperator = new Set(using.operator.kinds.map((each) => kindOf(each).kind));
  }

  /** All objects of the server. */
  get all(): readonly StoredObject[] {
    return this.#stored.all;
  }
  /** The uids of the objects that existed before the trial. */
  get initial(): ReadonlySet<string> {
    return this.#initial;
  }
  set initial(uids: ReadonlySet<string>) {
    this.#initial = uids;
    this.#changes = undefined;
  }

  /** Returns the current objects. */
  content(): StoredContent {
    return this.#stored.content();
  }
  /**
   * Writes the objects of an earlier content. Keeps the objects that the environment created later, such as the roles of a manager.
   * @param empty the content before the first start of the operator
   */
  restore(content: StoredContent, empty: StoredContent): void {
    this.#stored.restore(content, (key, object) => !empty.has(key) && this.#isOfEnvironment(object));
  }

  /** Returns the object with this name among the objects that exist before the trial starts, without the fields that the server sets. */
  surrounding(name: string): KubeObject | undefined {
    return this.#using.operator.objects?.find(({ kind, metadata }) => objectName(kind, metadata) === name);
  }
  /** Whether an object of the subject's kind with this name exists. */
  hasSubject(name: string): boolean {
    const { kind } = kindOf(this.#using.subject);
    return this.all.some((object) => object.kind === kind && object.metadata.name === name);
  }

  /** Returns the comparable content of the objects of the trial. Returns the same map until an object changes. */
  state(): WorldState {
    this.#update();
    if (this.#state === undefined) {
      const { all } = this;
      const compared = all.filter((object) => !this.#isSurrounding(object) && !this.#isDerived(object));
      this.#state = worldState(compared, { all, isCustom: (object) => this.#isCustom(object) });
    }
    return this.#state;
  }

  /** Returns the versions of all objects of the trial by their uids. Omits leases and events. */
  versions(): Versions {
    this.#update();
    this.#versions ??= new Map(
      this.all
        .filter((object) => !RESTLESS.has(object.kind) && !this.#isSurrounding(object))
        .map((object) => [
          object.metadata.uid,
          {
            name: nameOf(object),
            stableName: stableNameOf(object),
            version: object.metadata.resourceVersion,
            isDerived: this.#isDerived(object),
          },
        ]),
    );
    return this.#versions;
  }

  /** Returns the events of the operator in sorted order. */
  events(): readonly string[] {
    const texts = this.all.flatMap(({ kind, metadata, type, reason, note, message, reportingController, source }) => {
      const reporter = reportingController ?? source?.component ?? '';
      if (kind !== 'Event' || CLUSTER_REPORTERS.has(reporter) || this.#initial.has(metadata.uid)) return [];
      return [`${type} ${reason}: ${note ?? message}`];
    });
    return [...new Set(texts)].toSorted();
  }

  #update(): void {
    const { changes } = this.#stored;
    if (this.#changes === changes) return;
    this.#changes = changes;
    this.#state = undefined;
    this.#versions = undefined;
  }

  /** Whether the operator defines the kind of the object. */
  #isCustom({ kind }: StoredObject): boolean {
    return this.#isOfOperator.has(kind);
  }
  #isDerived(object: StoredObject): boolean {
    return isDerived(object, this.#isCustom(object));
  }
  /**
   * Whether the comparison ignores the object: it existed before the trial, is an initial object or a copy by a stranger, or belongs to the
   * environment.
   */
  #isSurrounding(object: StoredObject): boolean {
    const name = nameOf(object);
    return (
      this.#initial.has(object.metadata.uid) ||
      this.#using.copies().has(name) ||
      this.surrounding(name) !== undefined ||
      this.#isOfEnvironment(object)
    );
  }
  /** Whether the environment created the object, for example a role of the operator. */
  #isOfEnvironment(object: StoredObject): boolean {
    const { kind, metadata } = object;
    const isWritten = metadata.managedFields?.some(({ manager }) => manager === 'kubewright-test') === true;
    return isWritten && !isWrittenByOperator(object) && kind !== kindOf(this.#using.subject).kind;
  }
}
