import { controllerOf, type KindRef, type KubeObject, type ObjectKey } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { Change } from '../cache/change.js';
import type { HandlerRegistration } from '../cache/shared-informer.js';
import { formatKey } from '../cache/object-key.js';
import type { Cause } from '../queue/cause.js';
import { changedPaths } from './changed-paths.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import type { ControllerSources, OpenWatch } from './controller-sources.js';
import { referenceIndex } from './reference-index.js';
import type { ResolvedControllerOptions } from './resolved-options.js';
import type { MappedWatch, ReferenceWatch } from './watch-declaration.js';

/** What the changes of a controller's kinds lead to. */
export interface TriggerTarget {
  /** An object of the reconciled kind changed, in a way that its predicate lets through or not. */
  changed(id: string, change: Change<KubeObject>): void;
  /** The object shall be reconciled because of another one. */
  trigger(id: string, cause: Cause): void;
}

/** Turns the changes of what a controller watches into reconciles. */
export class Triggers {
  readonly #options: ResolvedControllerOptions;
  readonly #dependencies: ControllerDependencies;
  readonly #sources: ControllerSources;
  readonly #target: TriggerTarget;
  readonly #registrations: HandlerRegistration[] = [];
  #namespaced = true;
  #mapping = 0;

  constructor(
    options: ResolvedControllerOptions,
    using: {
      readonly dependencies: ControllerDependencies;
      readonly sources: ControllerSources;
      readonly target: TriggerTarget;
    },
  ) {
    this.#options = options;
    this.#dependencies = using.dependencies;
    this.#sources = using.sources;
    this.#target = using.target;
  }

  /** Mappers that have not answered yet. */
  get mapping(): number {
    return this.#mapping;
  }

  /** Adds the handlers. Call it once. */
  async connect(): Promise<void> {
    const { primary, watches } = this.#sources;
    this.#namespaced = await this.#dependencies.isNamespaced(this.#options.kind);
    const handlers: [OpenWatch, (change: Change<KubeObject>) => void][] = [];
    for (const open of watches) handlers.push([open, await this.#handlerOf(open)]);
    const target = this.#target;
    this.#listen(primary, (change) => target.changed(formatKey(change.object.metadata), change));
    for (const [{ watch, objects }, handle] of handlers) {
      this.#listen(objects, (change) => {
        if (watch.when === undefined || watch.when(change)) handle(change);
      });
    }
  }
  /** Resolves when every object of the first lists was handed over. */
  async synced(): Promise<void> {
    await Promise.all(this.#registrations.map(({ synced }) => synced));
  }
  disconnect(): void {
    for (const registration of this.#registrations) registration.remove();
  }

  #listen(objects: OpenWatch['objects'], onChange: (change: Change<KubeObject>) => void): void {
    const registration = objects.addHandler({
      onChange: (change) => {
        try {
          onChange(change);
        } catch (error) {
          this.#failed('a predicate threw; the change counts as none', change.object, error);
        }
        this.#dependencies.onActivity();
      },
    });
    registration.synced.catch((error: unknown) => {
      this.#dependencies.logger.debug('a watch ended before it was complete', { error });
    });
    this.#registrations.push(registration);
  }

  async #handlerOf({ watch }: OpenWatch): Promise<(change: Change<KubeObject>) => void> {
    switch (watch.type) {
      case 'owned':
        return (change) => this.#onOwned(change);
      case 'references':
        return this.#referenceHandler(watch);
      case 'watch':
        return (change) => void this.#onMapped(watch, change);
    }
  }

  #onOwned(change: Change<KubeObject>): void {
    const cause = causeOf('owned', change);
    for (const object of versionsOf(change)) {
      const key = this.#ownerKey(object);
      if (key !== undefined) this.#target.trigger(formatKey(key), cause);
    }
  }
  #ownerKey(child: KubeObject): ObjectKey | undefined {
    const owner = controllerOf(child);
    if (owner === undefined || !isOfKind(owner, this.#options.kind)) return undefined;
    const namespace = this.#namespaced ? child.metadata.namespace : undefined;
    const key = { name: owner.name, namespace };
    const known = this.#sources.primary.get(key);
    return known !== undefined && known.metadata.uid !== owner.uid ? undefined : key;
  }

  async #referenceHandler(watch: ReferenceWatch): Promise<(change: Change<KubeObject>) => void> {
    const { primary } = this.#sources;
    const at = this.#options.watches.indexOf(watch);
    const byReference = referenceIndex(watch, {
      kind: this.#options.kind,
      name: `kubewright.dev/${this.#options.name}/references/${at}`,
      namespaced: await this.#dependencies.isNamespaced(watch.kind),
      onError: (object, error) => this.#failed('the function of references() threw', object, error),
    });
    primary.addIndex(byReference);
    return (change) => {
      const cause = causeOf('watched', change);
      const named = primary.byIndex(byReference(formatKey(change.object.metadata)));
      for (const { metadata } of named) this.#target.trigger(formatKey(metadata), cause);
    };
  }

  async #onMapped(watch: MappedWatch, change: Change<KubeObject>): Promise<void> {
    const cause = causeOf('watched', change);
    this.#mapping++;
    for (const object of versionsOf(change)) {
      try {
        const keys = await watch.map(object, { change, reader: this.#dependencies.reader });
        for (const key of keys) this.#target.trigger(formatKey(key), cause);
      } catch (error) {
        this.#failed('the map function of watch() failed', object, error);
      }
    }
    this.#mapping--;
    this.#dependencies.onActivity();
  }

  #failed(message: string, { kind, metadata }: KubeObject, error: unknown): void {
    const object = `${kind} ${formatKey(metadata)}`;
    this.#dependencies.logger.error(message, { controller: this.#options.name, object, error });
  }
}

/** The cause that a change of an object is, told from the object's own point of view or from that of another. */
export function causeOf(kind: 'own' | 'owned' | 'watched', change: Change<KubeObject>): Cause {
  const { object } = change;
  const paths = change.type === 'modified' ? { changedPaths: changedPaths(change.old, object) } : {};
  if (kind === 'own') return { kind: change.type, ...paths };
  const what = change.type === 'modified' ? '' : ` ${change.type}`;
  return { kind, source: `${object.kind} ${formatKey(object.metadata)}${what}`, ...paths };
}

function versionsOf(change: Change<KubeObject>): readonly KubeObject[] {
  return change.type === 'modified' ? [change.old, change.object] : [change.object];
}
function isOfKind(reference: { readonly apiVersion: string; readonly kind: string }, kind: KindRef): boolean {
  const info = kindOf(kind);
  const slash = reference.apiVersion.indexOf('/');
  const group = slash === -1 ? '' : reference.apiVersion.slice(0, slash);
  return reference.kind === info.kind && group === info.group;
}
