import type { KindRef, KubeObject } from '@kubewright/api';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { declarationOf, type Index } from '../cache/index-declaration.js';
import { OWNER_LABEL } from '../client/owner-label.js';
import { forEachInParallel } from '../queue/parallel.js';
import type { ResolvedControllerOptions } from './resolved-options.js';
import type { DeclaredWatch } from './watch-declaration.js';
import type { ObjectWatcher, WatchedObjects, WatchStatus } from './watched-objects.js';

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

  /** Opens them. Rejects with KIND_UNAVAILABLE when the server does not serve one of the kinds. */
  static async open(options: ResolvedControllerOptions, watcher: ObjectWatcher): Promise<ControllerSources> {
    const acquire = async (
      kind: KindRef,
      labels?: ReturnType<typeof labelsOf>,
    ): Promise<WatchedObjects<KubeObject>> => {
      try {
        const { namespaces } = options;
        return await watcher.acquire<KubeObject>(kind, {
          ...(labels !== undefined && { labels }),
          ...(namespaces !== undefined && { namespaces }),
        });
      } catch (error) {
        throw unavailable(options.name, kind, error);
      }
    };
    const primary = await acquire(options.kind);
    const watches: OpenWatch[] = [];
    for (const watch of options.watches) {
      watches.push({ watch, objects: await acquire(watch.kind, labelsOf(watch, options.name)) });
    }
    const reads = [];
    for (const kind of options.reads) reads.push({ kind, objects: await acquire(kind) });
    return new ControllerSources(options, { primary, watches, reads });
  }

  /** Resolves when the first objects of every kind are there. Rejects with KIND_UNAVAILABLE when the server refuses one of them. */
  async synced(signal: AbortSignal): Promise<void> {
    const wait = ({ kind, objects }: { readonly kind: KindRef; readonly objects: WatchedObjects<KubeObject> }) =>
      syncedOrRefused(objects, signal, (error) => unavailable(this.#controller, kind, error));
    await forEachInParallel(this.#all, wait, { concurrency: this.#all.length });
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

function syncedOrRefused(
  objects: WatchedObjects<KubeObject>,
  signal: AbortSignal,
  refused: (error: unknown) => KubewrightError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (status: WatchStatus): void => {
      if (!status.synced && isRefusal(status.lastError)) finish(() => reject(refused(status.lastError)));
    };
    const stopListening = objects.onStatus(check);
    const onAbort = (): void => finish(() => reject(signal.reason));
    const finish = (settle: () => void): void => {
      stopListening();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) return onAbort();
    objects.synced().then(
      () => finish(resolve),
      (error: unknown) => finish(() => reject(error)),
    );
    check(objects.status);
  });
}
/** Answers that waiting does not change: no such kind, or no right to see it. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404, 405].includes(error.status);
}

function unavailable(controller: string, kind: KindRef, cause: unknown): KubewrightError {
  const { apiVersion, kind: name } = kindOf(kind);
  const said = cause instanceof Error ? cause.message : String(cause);
  return new KubewrightError(
    'KIND_UNAVAILABLE',
    `controller '${controller}' cannot have ${name} (${apiVersion}), which it declares: ${said.replace(/[.?]$/, '')}; install its CRD, or grant get, list and watch`,
    { cause },
  );
}
function nameOf(kind: KindRef): string {
  const { apiVersion, kind: name } = kindOf(kind);
  return `${apiVersion}/${name}`;
}
