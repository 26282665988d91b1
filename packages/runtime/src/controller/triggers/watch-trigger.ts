import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';
import { formatKey } from '../../cache/store/object-key.js';
import type { TriggerErrorOrigin } from '../../metrics/controller-metrics.js';
import type { Cause } from '../../queue/cause.js';
import type { OpenWatch } from '../informers/controller-sources.js';
import { causeOf } from './cause-of.js';
import { isLowered } from '../watches/change-priority.js';
import { Mapping } from '../sources/mapping.js';
import { ownersOfKind } from '../watches/owner-keys.js';
import { guardedPredicate, type Predicate } from '../watches/predicates.js';
import { readKey, readKeys } from '../watches/reconcile-key.js';
import { referenceIndex } from '../watches/reference-index.js';
import type { TriggerContext } from './trigger-context.js';
import { describeObject } from '../sources/trigger-errors.js';
import type { MappedWatch, MapContext, Mapper, OwnedWatch, ReferenceWatch } from '../watches/watch-declaration.js';

/** Requests reconciles for the changes of one watch of a controller. */
export class WatchTrigger {
  readonly #open: OpenWatch;
  readonly #context: TriggerContext;
  readonly #mapping: Mapping;
  readonly #when: Predicate<KubeObject>;
  #handle: (change: Change<KubeObject>) => void = () => undefined;
  #removeIndex: () => void = () => undefined;

  constructor(open: OpenWatch, context: TriggerContext) {
    const { watch } = open;
    const { clock, onActivity } = context.dependencies;
    this.#open = open;
    this.#context = context;
    this.#mapping = new Mapping(clock, onActivity);
    this.#when = guardedPredicate(watch.when ?? (() => true), (error, { object }) => {
      this.#failed('predicate', `the 'when' predicate of ${watch.type}() threw an error; the change is processed`, {
        object,
        error,
      });
    });
  }

  /** Returns the number of changes with pending mapper calls, including retries that are due within `retriesWithinMs` milliseconds. */
  pending(retriesWithinMs: number): number {
    return this.#mapping.pending(retriesWithinMs);
  }
  /** Prepares the handler for the type of the watch. For `references`, rejects if the API server does not serve the kind. */
  async prepare(): Promise<void> {
    const { watch } = this.#open;
    switch (watch.type) {
      case 'owned':
        this.#handle = (change) => this.#onOwned(watch, change);
        break;
      case 'references':
        this.#handle = await this.#referenceHandler(watch);
        break;
      case 'watch':
        this.#handle = (change) => this.#onMapped(watch, change);
    }
  }
  changed(change: Change<KubeObject>): void {
    if (this.#when(change)) this.#handle(change);
  }
  /** Discards queued mapper calls and retries, and removes the index of the references. Does not stop running mapper calls. */
  stop(): void {
    this.#mapping.stop();
    this.#removeIndex();
  }

  #onOwned(watch: OwnedWatch, change: Change<KubeObject>): void {
    const isDeleted = change.type === 'deleted';
    const ids = new Set(versionsOf(change).flatMap((child) => this.#ownersOf(child, watch, isDeleted)));
    for (const id of ids) this.#trigger(id, change, causeOf('owned', change));
  }
  /**
   * Returns the ids of the owners of a child. An owner may have been deleted and recreated with the same name. A change of a child of the
   * deleted owner does not trigger a reconcile of the new object. The deletion of such a child does, because the name of the child becomes
   * available.
   */
  #ownersOf(child: KubeObject, { everyOwner }: OwnedWatch, isDeleted: boolean): readonly string[] {
    const { options, primary, namespaced } = this.#context;
    const owners = ownersOfKind(child, options.kind, {
      everyOwner,
      onBadReference: (reference, error) => {
        const message = 'ignored an invalid owner reference';
        const id = `${describeObject(child)} ${JSON.stringify(reference)}`;
        this.#context.errors.reportOnce(id, { origin: 'owner', message, object: child, error });
      },
    });
    const namespace = namespaced ? child.metadata.namespace : undefined;
    const living = owners.filter(({ name, uid }) => {
      const known = primary.get({ name, namespace });
      return isDeleted || known === undefined || known.metadata.uid === uid;
    });
    return living.map(({ name }) => formatKey({ name, namespace }));
  }

  async #referenceHandler(watch: ReferenceWatch): Promise<(change: Change<KubeObject>) => void> {
    const { options, dependencies, primary } = this.#context;
    const at = options.watches.includes(watch) ? String(options.watches.indexOf(watch)) : randomUUID();
    const byReference = referenceIndex(watch, {
      kind: options.kind,
      name: `kubewright.dev/${options.name}/references/${at}`,
      namespaced: await dependencies.isNamespaced(watch.kind),
      onError: (object, error) =>
        this.#failed('references', 'the function of references() threw an error', { object, error }),
    });
    primary.addIndex(byReference);
    this.#removeIndex = () => primary.removeIndex(byReference);
    return (change) => {
      const named = primary.byIndex(byReference(formatKey(change.object.metadata)));
      for (const { metadata } of named) this.#trigger(formatKey(metadata), change, causeOf('watched', change));
    };
  }

  #onMapped(watch: MappedWatch, change: Change<KubeObject>): void {
    const mapper = watch.map ?? watch.on?.[change.type];
    if (mapper === undefined) return;
    const context = { change, reader: this.#context.dependencies.reader };
    const versions = watch.map === undefined ? [change.object] : versionsOf(change);
    void this.#mapping.start({
      id: describeObject(change.object),
      calls: versions.map((object) => callOf(mapper, object, context)),
      deliver: (answers) => this.#deliver(answers, change),
      failed: (error, again) => {
        const ending = again ? 'it will be called again' : 'the change does not trigger a reconcile';
        this.#failed('map', `the map function of watch() failed; ${ending}`, { object: change.object, error });
      },
    });
  }
  #deliver(answers: readonly unknown[], change: Change<KubeObject>): void {
    const { object } = change;
    const cause = causeOf('watched', change);
    const done = new Set<string>();
    for (const answer of answers) {
      for (const key of this.#keysOf(answer, object)) {
        const same = `${key.id} ${key.priority} ${key.afterMs}`;
        if (done.has(same)) continue;
        done.add(same);
        this.#trigger(key.id, change, cause, key);
      }
    }
  }
  /** Returns the valid keys in the result of a mapper. Logs the invalid keys. */
  #keysOf(answer: unknown, object: KubeObject): readonly ReturnType<typeof readKey>[] {
    const { options, namespaced } = this.#context;
    const keys: ReturnType<typeof readKey>[] = [];
    const tryTo = <R>(read: () => R): R | undefined => {
      try {
        return read();
      } catch (error) {
        this.#failed('map', 'the map function of watch() did not return a list of keys', { object, error });
        return undefined;
      }
    };
    for (const given of tryTo(() => readKeys(answer)) ?? []) {
      const key = tryTo(() => readKey(given, { kindName: options.kindName, namespaced }));
      if (key !== undefined) keys.push(key);
    }
    return keys;
  }

  #trigger(
    id: string,
    change: Change<KubeObject>,
    cause: Cause,
    key?: { readonly priority: number | undefined; readonly afterMs: number },
  ): void {
    const priority = key?.priority ?? this.#open.watch.priority;
    const { watch, informer } = this.#open;
    this.#context.target.trigger(id, {
      cause,
      priority,
      lowered: isLowered(change),
      afterMs: key?.afterMs ?? 0,
      ...(watch.type === 'owned' && { child: { change, epoch: informer.epoch } }),
    });
  }
  #failed(
    origin: TriggerErrorOrigin,
    message: string,
    { object, error }: { readonly object: unknown; readonly error: unknown },
  ): void {
    this.#context.errors.report({ origin, message, object, error });
  }
}

function callOf(mapper: Mapper<KubeObject>, object: KubeObject, context: MapContext<KubeObject>): () => unknown {
  return () => mapper(object, context);
}
function versionsOf(change: Change<KubeObject>): readonly KubeObject[] {
  return change.type === 'modified' ? [change.old, change.object] : [change.object];
}
