import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Change } from '../../cache/change.js';
import { formatKey } from '../../cache/object-key.js';
import type { HandlerRegistration } from '../../cache/shared-informer.js';
import { abortable } from '../../transport/abortable.js';
import type { ControllerDependencies } from '../controller-dependencies.js';
import type { ControllerSources, OpenWatch } from '../controller-sources.js';
import type { ResolvedControllerOptions } from '../resolved-options.js';
import { readKey } from './reconcile-key.js';
import { SourceRun } from './source-run.js';
import type { Source } from './source.js';
import type { TriggerContext, TriggerTarget } from './trigger-context.js';
import type { TriggerErrors } from './trigger-errors.js';
import { WatchTrigger } from './watch-trigger.js';

/** A watch at work. */
interface ConnectedWatch {
  readonly trigger: WatchTrigger;
  readonly registration: HandlerRegistration;
}

/** Turns the changes of what a controller watches, and what its sources tell, into reconciles. */
export class Triggers {
  readonly #options: ResolvedControllerOptions;
  readonly #dependencies: ControllerDependencies;
  readonly #sources: ControllerSources;
  readonly #target: TriggerTarget;
  readonly #errors: TriggerErrors;
  readonly #watches = new Map<OpenWatch, ConnectedWatch>();
  readonly #runs = new Map<Source, SourceRun>();
  #primary: HandlerRegistration | undefined;
  #context: TriggerContext | undefined;

  constructor(
    options: ResolvedControllerOptions,
    using: {
      readonly dependencies: ControllerDependencies;
      readonly sources: ControllerSources;
      readonly target: TriggerTarget;
      readonly errors: TriggerErrors;
    },
  ) {
    this.#options = options;
    this.#dependencies = using.dependencies;
    this.#sources = using.sources;
    this.#target = using.target;
    this.#errors = using.errors;
  }

  /** The sources, those that failed included. */
  get sources(): Iterable<Source> {
    return this.#runs.keys();
  }
  /** Mappers that have not answered yet, retries that are due within so many milliseconds included. */
  pending(retriesWithinMs: number): number {
    let pending = 0;
    for (const { trigger } of this.#watches.values()) pending += trigger.pending(retriesWithinMs);
    for (const run of this.#runs.values()) pending += run.pending;
    return pending;
  }
  /** Why not everything leads to reconciles as it should, a sentence for each source; empty when it does. */
  unready(): readonly string[] {
    return [...this.#runs.values()].flatMap((run) => run.problem ?? []);
  }

  /** Adds the handlers of the kinds. Call it once. */
  async connect(): Promise<void> {
    const { primary, watches } = this.#sources;
    const context: TriggerContext = {
      options: this.#options,
      dependencies: this.#dependencies,
      namespaced: this.#options.byKey ? 'either' : await this.#dependencies.isNamespaced(this.#options.kind),
      primary,
      target: this.#target,
      errors: this.#errors,
    };
    this.#context = context;
    const triggers = new Map<OpenWatch, WatchTrigger>();
    for (const open of watches) triggers.set(open, await this.#prepared(open, context));
    for (const source of this.#options.sources) this.#runs.set(source, new SourceRun(source, context));
    this.#primary = this.#listen(primary, (change) => {
      this.#target.changed(formatKey(change.object.metadata), change);
    });
    for (const [open, trigger] of triggers) this.#connect(open, trigger);
  }
  /** Brings an object for a reason that lies outside of the cluster. Throws INVALID_KEY. */
  request(key: ObjectKey): void {
    const { kindName } = this.#options;
    const { id } = readKey(key, { kindName, namespaced: this.#context?.namespaced ?? key.namespace !== undefined });
    this.#target.trigger(id, { cause: { kind: 'manual' } });
  }
  /** Queues every cached object of the controller's kind, for a reason other than a change of an object. */
  requestAll(reason: string): void {
    const { primary } = this.#sources;
    for (const { metadata } of primary.list()) {
      this.#target.trigger(formatKey(metadata), { cause: { kind: 'watched', source: reason }, lowered: true });
    }
  }
  /** Adds a watch to those that are at work; resolves when every object of its first list was handed over. Call it after `connect`. */
  async add(open: OpenWatch, signal: AbortSignal): Promise<void> {
    await this.attach(open);
    await abortable(Promise.resolve(this.#watches.get(open)?.registration.synced), signal);
  }
  /** As `add`, without waiting for the first list. */
  async attach(open: OpenWatch): Promise<void> {
    const context = this.#context;
    if (context !== undefined) this.#connect(open, await this.#prepared(open, context));
  }
  /** Ends a watch; its changes lead to nothing any more. */
  remove(open: OpenWatch): void {
    const watch = this.#watches.get(open);
    watch?.registration.remove();
    watch?.trigger.stop();
    this.#watches.delete(open);
  }
  /** Adds a source; resolves when it is started and synced, and rejects with SOURCE_FAILED when it cannot be. Call it after `connect`. */
  async addSource(source: Source, signal: AbortSignal): Promise<void> {
    if (this.#context === undefined) return;
    const run = new SourceRun(source, this.#context);
    this.#runs.set(source, run);
    await run.synced(signal);
  }
  /** Ends a source; settles when it has ended. */
  async removeSource(source: Source): Promise<void> {
    const run = this.#runs.get(source);
    this.#runs.delete(source);
    await run?.close();
  }

  /** Starts the sources. Resolves when they are synced and every object of the first lists was handed over. Rejects with SOURCE_FAILED. */
  async synced(signal: AbortSignal): Promise<void> {
    const runs = [...this.#runs.values()].map((run) => run.synced(signal));
    const registrations = [...this.#watches].map(async ([open, { registration }]) => {
      try {
        await registration.synced;
      } catch (error) {
        // Does not wait for a watch that was removed in the meantime.
        if (this.#watches.get(open)?.registration === registration) throw error;
      }
    });
    await Promise.all([this.#primary?.synced, ...registrations, ...runs]);
  }
  /** Ends all of them; settles when the sources have ended. */
  async disconnect(): Promise<void> {
    this.#primary?.remove();
    for (const open of this.#watches.keys()) this.remove(open);
    await Promise.all([...this.#runs.values()].map((run) => run.close()));
  }

  async #prepared(open: OpenWatch, context: TriggerContext): Promise<WatchTrigger> {
    const trigger = new WatchTrigger(open, context);
    await trigger.prepare();
    return trigger;
  }
  #connect(open: OpenWatch, trigger: WatchTrigger): void {
    const registration = this.#listen(open.objects, (change) => trigger.changed(change));
    this.#watches.set(open, { trigger, registration });
  }
  #listen(objects: OpenWatch['objects'], onChange: (change: Change<KubeObject>) => void): HandlerRegistration {
    const registration = objects.addHandler({
      onChange: (change) => {
        try {
          assertUsable(change);
          onChange(change);
        } catch (error) {
          const object = (change as Change<KubeObject> | undefined)?.object;
          this.#errors.tell({ origin: 'change', message: 'a change could not be dealt with', object, error });
        }
        this.#dependencies.onActivity();
      },
    });
    registration.synced.catch((error: unknown) => {
      this.#dependencies.logger.debug('a watch ended before it was complete', { error });
    });
    return registration;
  }
}

/** Watches of the framework give nothing else; those of others may. */
function assertUsable(change: Change<KubeObject>): void {
  const { object } = change;
  const versions = change.type === 'modified' ? [object, change.old] : [object];
  if (versions.every((version) => typeof version?.metadata?.name === 'string' && version.metadata.name !== '')) return;
  throw new KubewrightError('NO_OBJECT', `a change of type '${change.type}' came without its objects; it is left out`);
}
