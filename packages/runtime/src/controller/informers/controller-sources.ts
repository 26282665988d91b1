import type { KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { declarationOf, type Index } from '../../cache/store/index-declaration.js';
import { kindName } from '../../cache/selection/kind-name.js';
import type { DeclaredKind } from '../../client/requests/client-backend.js';
import { OWNER_LABEL } from '../../client/owners/owner-label.js';
import { abortable } from '../../waiting/abortable.js';
import { KeyInformer } from './key-informer.js';
import type { DeclaredRead, ResolvedControllerOptions } from '../options/resolved-options.js';
import { ReferencedKeys } from './referenced-keys.js';
import type { DeclaredWatch } from '../watches/watch-declaration.js';
import type { ControllerInformer, ControllerInformers } from './controller-informer.js';

/** A watch of a controller, with its informer. */
export interface OpenWatch {
  readonly watch: DeclaredWatch;
  readonly informer: ControllerInformer<KubeObject>;
}

/** Returns the labels, fields and namespaces by which a watch selects objects, and whether the watch selects objects by their keys. */
export function selectionOf(
  watch: DeclaredWatch,
  { name, namespaces: all }: Pick<ResolvedControllerOptions, 'name' | 'namespaces'>,
): Omit<DeclaredKind, 'kind' | 'optional'> {
  const { labels, fields } = watch.type === 'watch' ? watch : { labels: ownLabels(watch, name), fields: undefined };
  const namespaces = watch.namespaces ?? all;
  return {
    ...(labels !== undefined && { labels }),
    ...(fields !== undefined && { fields }),
    ...(namespaces !== undefined && { namespaces }),
    ...(watch.type === 'references' && { byKeys: true }),
  };
}
function ownLabels(watch: DeclaredWatch, controller: string): Readonly<Record<string, string>> | undefined {
  return watch.type === 'owned' && !watch.adopted ? { [OWNER_LABEL]: controller } : undefined;
}

/** A kind that a controller reads or watches, with its informer. */
export interface OpenKind {
  readonly kind: KindRef;
  readonly informer: ControllerInformer<KubeObject>;
  /** Whether the controller also works if the API server does not serve the kind. */
  readonly optional?: boolean;
}

/** The dependencies of `ControllerSources`. */
export interface SourcesOptions {
  readonly informers: ControllerInformers;
  /** Called each time the result of `unready` may have changed. */
  readonly onStatus: () => void;
  readonly clock: Clock;
}

/**
 * The kinds that a controller has opened: its own kind, its watches and its reads. Optional kinds and watches can be added and removed at
 * run time.
 */
export class ControllerSources {
  readonly primary: ControllerInformer<KubeObject>;
  readonly #options: ResolvedControllerOptions;
  readonly #informers: ControllerInformers;
  readonly #watches = new Map<OpenWatch, OpenKind>();
  /** All opened kinds. The value removes the status listener of the kind. */
  readonly #all = new Map<OpenKind, () => void>();
  readonly #onStatus: () => void;
  readonly #clock: Clock;
  readonly #referenced = new Map<OpenWatch, ReferencedKeys>();

  private constructor(
    options: ResolvedControllerOptions,
    { informers, onStatus, clock }: SourcesOptions,
    opened: Opened,
  ) {
    this.primary = opened.primary;
    this.#options = options;
    this.#informers = informers;
    this.#onStatus = onStatus;
    this.#clock = clock;
    this.#addKind({ kind: options.kind, informer: opened.primary });
    for (const open of opened.watches) this.#addWatch(open);
    for (const read of opened.reads) this.#addKind(read);
    for (const index of options.indexes) this.#assertDeclared(index);
  }

  get watches(): readonly OpenWatch[] {
    return [...this.#watches.keys()];
  }

  /**
   * Opens all declared kinds except the optional kinds. Rejects with KIND_NOT_SERVED if the API server does not serve a kind, and with
   * INVALID_CONTROLLER if the kind of an index is not declared. Before a rejection, closes the kinds that are already open.
   */
  static async open(options: ResolvedControllerOptions, using: SourcesOptions): Promise<ControllerSources> {
    const { informers } = using;
    const opened: ControllerInformer<KubeObject>[] = [];
    const acquired = async (
      informer: Promise<ControllerInformer<KubeObject>>,
    ): Promise<ControllerInformer<KubeObject>> => {
      opened.push(await informer);
      return informer;
    };
    const whole = (kind: KindRef): Promise<ControllerInformer<KubeObject>> =>
      acquired(informers.acquire<KubeObject>(kind, { namespaces: options.namespaces }));
    try {
      const primary = options.byKey ? new KeyInformer() : await whole(options.kind);
      const watches: OpenWatch[] = [];
      for (const watch of options.watches) {
        if (watch.optional) continue;
        watches.push({ watch, informer: await acquired(acquire(informers, watch, options)) });
      }
      const reads = [];
      for (const { kind, optional } of options.reads) {
        if (!optional) reads.push({ kind, informer: await whole(kind) });
      }
      return new ControllerSources(options, using, { primary, watches, reads });
    } catch (error) {
      await Promise.all(opened.map((informer) => informer[Symbol.asyncDispose]()));
      throw error;
    }
  }

  /** Opens the kind of an additional watch. Rejects with KIND_NOT_SERVED. */
  async add(watch: DeclaredWatch): Promise<OpenWatch> {
    const open = { watch, informer: await acquire(this.#informers, watch, this.#options) };
    await this.#adding(open.informer, () => this.#addWatch(open));
    return open;
  }
  /** Opens an additional kind for reads. Rejects with KIND_NOT_SERVED. */
  async addRead({ kind, optional }: DeclaredRead): Promise<OpenKind> {
    const informer = await this.#informers.acquire<KubeObject>(kind, { namespaces: this.#options.namespaces });
    const open = { kind, informer, optional };
    await this.#adding(informer, () => this.#addKind(open));
    return open;
  }
  /** Closes a watch and releases its kind. */
  async remove(open: OpenWatch): Promise<void> {
    const kind = this.#watches.get(open);
    this.#watches.delete(open);
    this.#referenced.get(open)?.close();
    this.#referenced.delete(open);
    if (kind !== undefined) await this.removeRead(kind);
  }
  /** Releases a kind that was opened for reads. */
  async removeRead(open: OpenKind): Promise<void> {
    this.#all.get(open)?.();
    this.#all.delete(open);
    await open.informer[Symbol.asyncDispose]();
  }

  /**
   * Resolves when the first list of every kind is complete. Does not reject if the server rejects a list, because the informer retries the
   * list. Does not wait for a kind that is removed in the meantime. Rejects if the signal is aborted.
   */
  async synced(signal: AbortSignal): Promise<void> {
    const waits = [...this.#all.keys()].map(async (kind) => {
      try {
        await abortable(kind.informer.synced(), signal);
      } catch (error) {
        if (signal.aborted || this.#all.has(kind)) throw error;
      }
    });
    await Promise.all(waits);
  }

  /** The current errors of the lists and watches of the kinds. */
  get problems(): readonly KubewrightError[] {
    return [...this.#all.keys()].flatMap(({ informer: { status } }) => status.problem ?? []);
  }

  /**
   * Returns a sentence for each kind whose first list is not complete or whose objects cannot be accessed. For an optional kind, returns a
   * sentence only for an error other than KIND_NOT_SERVED. The list is empty if the controller is ready.
   */
  unready(): readonly string[] {
    return [...this.#all.keys()].flatMap(({ kind, optional, informer: { status } }) => {
      const isDormant = status.problem === undefined || status.problem.code === 'KIND_NOT_SERVED';
      if (optional && isDormant) return [];
      if (status.problem !== undefined) return [`controller '${this.#options.name}' ${status.problem.message}`];
      return status.synced ? [] : [`controller '${this.#options.name}' has not listed ${kindName(kind)} yet`];
    });
  }

  /** Releases all kinds. The controller can no longer be used. */
  async close(): Promise<void> {
    for (const referenced of this.#referenced.values()) referenced.close();
    for (const end of this.#all.values()) end();
    await Promise.all([...this.#all.keys()].map(({ informer }) => informer[Symbol.asyncDispose]()));
  }

  async #adding(informer: ControllerInformer<KubeObject>, add: () => void): Promise<void> {
    try {
      add();
    } catch (error) {
      await informer[Symbol.asyncDispose]();
      throw error;
    }
  }
  #addWatch(open: OpenWatch): void {
    const { watch, informer } = open;
    const kind = { kind: watch.kind, informer, optional: watch.optional ?? false };
    this.#addKind(kind);
    this.#watches.set(open, kind);
    if (watch.type === 'references') {
      this.#referenced.set(open, new ReferencedKeys(watch, { primary: this.primary, informer, clock: this.#clock }));
    }
  }
  #addKind(kind: OpenKind): void {
    const name = kindName(kind.kind);
    for (const index of this.#options.indexes) {
      if (kindName(declarationOf(index).kind) === name) kind.informer.addIndex(index);
    }
    this.#all.set(kind, kind.informer.onStatus(this.#onStatus));
  }
  #assertDeclared(index: Index<KubeObject>): void {
    const kind = kindName(declarationOf(index).kind);
    const { kind: primary, watches, reads } = this.#options;
    const declared = [primary, ...watches.map((watch) => watch.kind), ...reads.map((read) => read.kind)];
    if (declared.some((each) => kindName(each) === kind)) return;
    throw new KubewrightError(
      'INVALID_CONTROLLER',
      `controller '${this.#options.name}': index '${index.name}' is for ${kind}, which is not declared; list this kind under 'reads'`,
    );
  }
}

function acquire(
  informers: ControllerInformers,
  watch: DeclaredWatch,
  options: ResolvedControllerOptions,
): Promise<ControllerInformer<KubeObject>> {
  // Without a predicate, a watch of children needs only the metadata, which contains the owner references.
  const metadataSuffices = watch.type === 'owned' && watch.when === undefined;
  return informers.acquire<KubeObject>(watch.kind, { ...selectionOf(watch, options), metadataSuffices });
}

interface Opened {
  readonly primary: ControllerInformer<KubeObject>;
  readonly watches: readonly OpenWatch[];
  readonly reads: readonly OpenKind[];
}
