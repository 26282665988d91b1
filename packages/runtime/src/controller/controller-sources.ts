import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { abortable } from '../cache/abortable.js';
import { declarationOf, type Index } from '../cache/index-declaration.js';
import { OWNER_LABEL } from '../client/owner-label.js';
import type { ResolvedControllerOptions } from './resolved-options.js';
import type { DeclaredWatch } from './watch-declaration.js';
import type { ObjectWatcher, WatchedObjects } from './watched-objects.js';

/** A watch with its objects. */
export interface OpenWatch {
  readonly watch: DeclaredWatch;
  readonly objects: WatchedObjects<KubeObject>;
}

/** Which of the objects of a watched kind are looked at: a selector of labels, or undefined for all. */
export function labelsOf(
  watch: DeclaredWatch,
  controller: string,
): Readonly<Record<string, string>> | string | undefined {
  if (watch.type === 'owned') return watch.adopted ? undefined : { [OWNER_LABEL]: controller };
  return watch.type === 'watch' ? watch.labels : undefined;
}

/** All the kinds that a controller declares, opened. */
export class ControllerSources {
  readonly primary: WatchedObjects<KubeObject>;
  readonly watches: readonly OpenWatch[];
  readonly #all: readonly { readonly kind: KindRef; readonly objects: WatchedObjects<KubeObject> }[];
  readonly #controller: string;

  private constructor(options: ResolvedControllerOptions, opened: Opened) {
    this.primary = opened.primary;
    this.watches = opened.watches;
    this.#controller = options.name;
    this.#all = [
      { kind: options.kind, objects: opened.primary },
      ...opened.watches.map(({ watch, objects }) => ({ kind: watch.kind, objects })),
      ...opened.reads,
    ];
    for (const index of options.indexes) this.#addIndex(index);
  }

  /** Opens them. Rejects with KIND_UNAVAILABLE when it cannot be found out where one of the kinds is served; nothing stays open then. */
  static async open(options: ResolvedControllerOptions, watcher: ObjectWatcher): Promise<ControllerSources> {
    const opened: WatchedObjects<KubeObject>[] = [];
    const acquire = async (
      kind: KindRef,
      labels?: ReturnType<typeof labelsOf>,
    ): Promise<WatchedObjects<KubeObject>> => {
      const { namespaces } = options;
      const objects = await watcher.acquire<KubeObject>(kind, {
        ...(labels !== undefined && { labels }),
        ...(namespaces !== undefined && { namespaces }),
      });
      opened.push(objects);
      return objects;
    };
    try {
      const primary = await acquire(options.kind);
      const watches: OpenWatch[] = [];
      for (const watch of options.watches) {
        watches.push({ watch, objects: await acquire(watch.kind, labelsOf(watch, options.name)) });
      }
      const reads = [];
      for (const kind of options.reads) reads.push({ kind, objects: await acquire(kind) });
      return new ControllerSources(options, { primary, watches, reads });
    } catch (error) {
      await Promise.all(opened.map((objects) => objects[Symbol.asyncDispose]()));
      throw error;
    }
  }

  /** Resolves when the first objects of every kind are there, however long the server refuses them; rejects when the signal is aborted. */
  async synced(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#all.map(({ objects }) => abortable(objects.synced(), signal)));
  }

  /** Why the controller cannot do its work, a sentence for each kind that it does not know the objects of; empty when it can. */
  unready(): readonly string[] {
    return this.#all.flatMap(({ kind, objects: { status } }) => {
      if (status.problem !== undefined) return [`controller '${this.#controller}' ${status.problem.message}`];
      return status.synced ? [] : [`controller '${this.#controller}' has not listed ${nameOf(kind)} yet`];
    });
  }

  /** Gives the kinds back. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ objects }) => objects[Symbol.asyncDispose]()));
  }

  #addIndex(index: Index<KubeObject>): void {
    const kind = nameOf(declarationOf(index).kind);
    const targets = this.#all.filter((source) => nameOf(source.kind) === kind);
    if (targets.length === 0) {
      throw new KubewrightError(
        'INVALID_CONTROLLER',
        `controller '${this.#controller}': the index '${index.name}' is over ${kind}, which is not declared; list that kind under 'reads'`,
      );
    }
    for (const { objects } of targets) objects.addIndex(index);
  }
}

interface Opened {
  readonly primary: WatchedObjects<KubeObject>;
  readonly watches: readonly OpenWatch[];
  readonly reads: readonly { readonly kind: KindRef; readonly objects: WatchedObjects<KubeObject> }[];
}

function nameOf(kind: KindRef): string {
  const { apiVersion, kind: name } = kindOf(kind);
  return `${apiVersion}/${name}`;
}
