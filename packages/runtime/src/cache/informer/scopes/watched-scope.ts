import type { KubeObject } from '@kubewright/api';
import type { ObjectSource } from '../../reflector/object-source.js';
import { isNewer } from '../../store/overlay.js';
import { Reflector, type ReflectorOptions, type ReflectorTarget } from '../../reflector/reflector.js';
import type { ReflectorStatus } from '../../reflector/reflector-status.js';

/** The options of a scope of an informer. */
export interface ScopeOptions<T extends KubeObject> {
  /** The key of the scope, which is unique within the informer. @default the namespace of the source, or '' for all namespaces */
  readonly key?: string | undefined;
  readonly source: ObjectSource<T>;
  /** The namespaces that the scope excludes because they have their own scopes. @default none */
  readonly except?: readonly string[] | undefined;
  /** Returns whether the server selects this object for the scope. @default all objects */
  readonly isSelected?: ((object: KubeObject) => boolean) | undefined;
  /**
   * Whether only lists and events of the server show which objects are in the scope. This is the case if the scope selects by fields other
   * than name and namespace.
   * @default false
   */
  readonly isTracked?: boolean | undefined;
}

/**
 * Some of the objects of an informer, with their own list and watch. Examples are one namespace, and all namespaces that have no scope of
 * their own.
 */
export class WatchedScope<T extends KubeObject> {
  readonly key: string;
  readonly source: ObjectSource<T>;
  /** Returns whether the server selects this object for the scope. */
  readonly isSelected: (object: KubeObject) => boolean;
  readonly isTracked: boolean;
  /** Whether the store contains the first list of the scope. */
  isSynced = false;
  /** The number of lists that were necessary because the server was restored. */
  setBacks = 0;
  readonly #except: ReadonlySet<string>;
  readonly #reflector: Reflector<T>;
  readonly #stop = new AbortController();
  #epoch: number | undefined;
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
    this.#reflector = new Reflector<T>({
      ...using.reflector,
      source,
      target: using.target(this),
      onStatus: (status) => {
        this.#epoch = status.state.name === 'watching' ? status.lists : undefined;
        using.reflector?.onStatus?.(status);
      },
    });
  }

  get namespace(): string | undefined {
    return this.source.namespace;
  }
  /** The number of completed lists. Undefined if no watch is open, for example during a list or a delay. */
  get epoch(): number | undefined {
    return this.#epoch;
  }
  get status(): ReflectorStatus {
    return this.#reflector.status;
  }
  /** The newest version of the scope. Empty before the first list. */
  get resourceVersion(): string {
    return this.#reflector.resourceVersion;
  }

  /** Returns whether the scope has reached this version. */
  hasPassed(resourceVersion: string): boolean {
    return this.resourceVersion !== '' && !isNewer(resourceVersion, this.resourceVersion);
  }

  /** Returns whether the scope contains objects of this namespace. '' and undefined mean cluster-scoped objects. */
  readonly covers = (namespace: string | undefined): boolean => {
    const { namespace: own } = this.source;
    return own === undefined ? namespace === undefined || !this.#except.has(namespace) : namespace === own;
  };

  /** Starts the list and the watch. Further calls have no effect. */
  start(): void {
    this.#running ??= this.#reflector.run(this.#stop.signal);
  }

  /** Stops the list and the watch. Resolves when all streams are closed. */
  async close(): Promise<void> {
    this.#stop.abort(new DOMException('the informer was closed', 'AbortError'));
    await this.#running;
  }
}
