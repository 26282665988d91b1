import type { KubeObject } from '@kubewright/api';
import type { ObjectSource } from './object-source.js';
import { isNewer } from './overlay.js';
import { Reflector, type ReflectorOptions, type ReflectorTarget } from './reflector.js';
import type { ReflectorStatus } from './reflector-status.js';

/** What a scope of an informer is made of. */
export interface ScopeOptions<T extends KubeObject> {
  /** The name of the scope within its informer. @default that of its namespace, '' for all */
  readonly key?: string | undefined;
  readonly source: ObjectSource<T>;
  /** Namespaces of the source that are scopes of their own. @default none */
  readonly except?: readonly string[] | undefined;
  /** Which of its objects the server sends. @default all */
  readonly isSelected?: ((object: KubeObject) => boolean) | undefined;
  /** Whether only the watch shows which objects the scope contains, since their fields do not. @default false */
  readonly isTracked?: boolean | undefined;
}

/** A part of an informer that is listed and watched by itself: one namespace, or all that are not parts of their own. */
export class WatchedScope<T extends KubeObject> {
  readonly key: string;
  readonly source: ObjectSource<T>;
  /** Which of its objects the server sends. */
  readonly isSelected: (object: KubeObject) => boolean;
  readonly isTracked: boolean;
  /** Whether its first list is in the store. */
  isSynced = false;
  /** The number of lists that followed a restore of the server. */
  setBacks = 0;
  readonly #except: ReadonlySet<string>;
  readonly #reflector: Reflector<T>;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    { key, source, except = [], isSelected = () => true, isTracked = false }: ScopeOptions<T>,
    using: {
      readonly target: (scope: WatchedScope<T>) => ReflectorTarget<T>;
      readonly reflector: Omit<ReflectorOptions<T>, 'source' | 'target'> | undefined;
    },
  ) {
    this.key = key ?? source.namespace ?? '';
    this.source = source;
    this.isTracked = isTracked;
    this.isSelected = isSelected;
    this.#except = new Set(except);
    this.#reflector = new Reflector<T>({ ...using.reflector, source, target: using.target(this) });
  }

  get namespace(): string | undefined {
    return this.source.namespace;
  }
  get status(): ReflectorStatus {
    return this.#reflector.status;
  }
  /** The newest version it stands for; empty before the first list. */
  get resourceVersion(): string {
    return this.#reflector.resourceVersion;
  }

  /** Whether the scope represents this version or a newer one. */
  hasPassed(resourceVersion: string): boolean {
    return this.resourceVersion !== '' && !isNewer(resourceVersion, this.resourceVersion);
  }

  /** Whether the objects of a namespace are its objects; '' and undefined stand for those without one. */
  readonly covers = (namespace: string | undefined): boolean => {
    const { namespace: own } = this.source;
    return own === undefined ? namespace === undefined || !this.#except.has(namespace) : namespace === own;
  };

  /** Starts listing and watching; does nothing the second time. */
  start(): void {
    this.#running ??= this.#reflector.run(this.#stop.signal);
  }

  /** Stops, and settles when nothing is open any more. */
  async close(): Promise<void> {
    this.#stop.abort(new DOMException('the informer was closed', 'AbortError'));
    await this.#running;
  }
}
