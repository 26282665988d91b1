import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Change } from '../../cache/store/change.js';
import { formatKey } from '../../cache/store/object-key.js';
import type { HandlerRegistration } from '../../cache/informer/handlers/change-handler.js';
import { abortable } from '../../waiting/abortable.js';
import type { ControllerDependencies } from '../runs/controller-dependencies.js';
import type { ControllerSources, OpenWatch } from '../informers/controller-sources.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';
import { readKey } from '../watches/reconcile-key.js';
import { SourceRun } from './source-run.js';
import type { Source } from '../sources/source.js';
import type { TriggerContext, TriggerTarget } from './trigger-context.js';
import type { TriggerErrors } from '../sources/trigger-errors.js';
import { WatchTrigger } from './watch-trigger.js';

/** A watch whose changes trigger reconciles. */
interface ConnectedWatch {
  readonly trigger: WatchTrigger;
  readonly registration: HandlerRegistration;
}

/** Requests reconciles for the changes of watched objects and for the events of sources. */
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

  /** The sources of the controller, including failed sources. */
  get sources(): Iterable<Source> {
    return this.#runs.keys();
  }
  /**
   * Returns the number of pending operations: mapper calls, retries of mappers that are due within `retriesWithinMs` milliseconds, and work
   * of sources.
   */
  pending(retriesWithinMs: number): number {
    let pending = 0;
    for (const { trigger } of this.#watches.values()) pending += trigger.pending(retriesWithinMs);
    for (const run of this.#runs.values()) pending += run.pending;
    return pending;
  }
  /** Returns a sentence for each source that is not ready. The list is empty if all sources are ready. */
  unready(): readonly string[] {
    return [...this.#runs.values()].flatMap((run) => run.problem ?? []);
  }

  /** Adds handlers to the watched kinds. Does not start the sources. Must be called only once. */
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
  /** Queues an object because the program requested a reconcile. Throws INVALID_KEY. */
  request(key: ObjectKey): void {
    const { kindName } = this.#options;
    const { id } = readKey(key, { kindName, namespaced: this.#context?.namespaced ?? key.namespace !== undefined });
    this.#target.trigger(id, { cause: { kind: 'manual' } });
  }
  /** Queues all cached objects of the reconciled kind with a reduced priority. `reason` is logged as the cause. */
  requestAll(reason: string): void {
    const { primary } = this.#sources;
    for (const { metadata } of primary.list()) {
      this.#target.trigger(formatKey(metadata), { cause: { kind: 'watched', source: reason }, lowered: true });
    }
  }
  /** Adds a watch. Resolves when all objects of the first list were processed. Requires that `connect` was called. */
  async add(open: OpenWatch, signal: AbortSignal): Promise<void> {
    await this.attach(open);
    await abortable(Promise.resolve(this.#watches.get(open)?.registration.synced), signal);
  }
  /** Same as `add`, but does not wait for the first list. */
  async attach(open: OpenWatch): Promise<void> {
    const context = this.#context;
    if (context !== undefined) this.#connect(open, await this.#prepared(open, context));
  }
  /** Removes a watch. Changes of its objects no longer trigger reconciles. */
  remove(open: OpenWatch): void {
    const watch = this.#watches.get(open);
    watch?.registration.remove();
    watch?.trigger.stop();
    this.#watches.delete(open);
  }
  /**
   * Adds a source. Resolves when the source is synced. Rejects with SOURCE_FAILED if the source fails. Requires that `connect` was called.
   */
  async addSource(source: Source, signal: AbortSignal): Promise<void> {
    if (this.#context === undefined) return;
    const run = new SourceRun(source, this.#context);
    this.#runs.set(source, run);
    await run.synced(signal);
  }
  /** Removes a source. Resolves when the source has ended. */
  async removeSource(source: Source): Promise<void> {
    const run = this.#runs.get(source);
    this.#runs.delete(source);
    await run?.close();
  }

  /** Starts all sources. Resolves when they are synced and all objects of the first lists were processed. Rejects with SOURCE_FAILED. */
  async synced(signal: AbortSignal): Promise<void> {
    const runs = [...this.#runs.values()].map((run) => run.synced(signal));
    const registrations = [...this.#watches].map(async ([open, { registration }]) => {
      try {
        await registration.synced;
      } catch (error) {
        // A watch that was removed in the meantime is ignored.
        if (this.#watches.get(open)?.registration === registration) throw error;
      }
    });
    await Promise.all([this.#primary?.synced, ...registrations, ...runs]);
  }
  /** Removes all watches and sources. Resolves when the sources have ended. */
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
    const registration = this.#listen(open.informer, (change) => trigger.changed(change));
    this.#watches.set(open, { trigger, registration });
  }
  #listen(informer: OpenWatch['informer'], onChange: (change: Change<KubeObject>) => void): HandlerRegistration {
    const registration = informer.addHandler({
      onChange: (change) => {
        try {
          assertUsable(change);
          onChange(change);
        } catch (error) {
          const object = (change as Change<KubeObject> | undefined)?.object;
          this.#errors.report({ origin: 'change', message: 'cannot process a change', object, error });
        }
        this.#dependencies.onActivity();
      },
    });
    registration.synced.catch((error: unknown) => {
      this.#dependencies.logger.debug('a watch ended before it was synced', { error });
    });
    return registration;
  }
}

/** Throws NO_OBJECT for a change that lacks an object. Only custom watches can deliver such changes. */
function assertUsable(change: Change<KubeObject>): void {
  const { object } = change;
  const versions = change.type === 'modified' ? [object, change.old] : [object];
  if (versions.every((version) => typeof version?.metadata?.name === 'string' && version.metadata.name !== '')) return;
  throw new KubewrightError('NO_OBJECT', `ignored a change of type '${change.type}' because it has no object`);
}
