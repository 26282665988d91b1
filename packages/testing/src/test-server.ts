import type { KubeObject } from '@kubewright/api';
import type { ApiServer } from '@kubewright/apiserver';
import type { Connection, Manager } from '@kubewright/runtime';
import type { InformerCache, WatchedScope } from '@kubewright/runtime/internal';
import type { InstallUsing } from './installed-definitions.js';
import type { ControlPlane } from './control-plane/control-plane.js';

/** The managers and the cache that read from a server. Their state can be older than the state of the server. */
export interface Readers {
  readonly managers: readonly Manager[];
  readonly cache: InformerCache;
}

/** The server of a test environment. */
export interface TestServer {
  readonly connection: Connection;
  /** The server itself, if it runs in this process. */
  readonly embedded: ApiServer | undefined;
  /** The control plane, if it belongs to the environment. */
  readonly controlPlane: ControlPlane | undefined;
  /** Installs or updates definitions. Resolves when their kinds are served. */
  install(definitions: readonly KubeObject[], using: InstallUsing): Promise<void>;
  /** Removes kinds and their objects. Resolves when the kinds and the objects are deleted. */
  uninstall(definitions: readonly KubeObject[], using: InstallUsing): Promise<void>;
  /** Removes the definitions that `install` created, if the server keeps running after the environment. */
  leave(using: InstallUsing): Promise<void>;
  /**
   * Returns descriptions of the pending work of the server. With `timers: false`, omits work that waits for the clock. Returns an empty
   * list if the work is not known.
   */
  pending(options?: { readonly timers: boolean }): readonly string[];
  /** Returns the `Audit-ID` headers of the requests and watches that wait for the clock. */
  waiting(): ReadonlySet<string>;
  /** Returns whether a list or a watch has received all changes. Returns false if this is not known. */
  hasReached(scope: WatchedScope<KubeObject>): boolean;
  /** Returns the number of objects, or 0 if the number is not known. */
  objectCount(): number;
  /** Returns the names of the kinds whose readers are behind the server. */
  behind(readers: Readers): Promise<readonly string[]>;
  /** Prompts the server to update readers that are behind. */
  prod(): void;
  /** Calls `listener` when the result of `pending` may have changed. Returns a function that removes the listener. */
  onActivity(listener: () => void): () => void;
  stop(): Promise<void>;
}
