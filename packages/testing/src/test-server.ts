import type { KubeObject } from '@kubewright/api';
import type { ApiServer } from '@kubewright/apiserver';
import type { Connection, Manager } from '@kubewright/runtime';
import type { InformerCache } from '@kubewright/runtime/internal';
import type { InstallUsing } from './installed-definitions.js';
import type { ControlPlane } from './control-plane/control-plane.js';

/** Who reads from a server, and may be behind it. */
export interface Readers {
  readonly managers: readonly Manager[];
  readonly cache: InformerCache;
}

/** What a test environment stands on. */
export interface TestServer {
  readonly connection: Connection;
  /** The server itself, where it runs in this process. */
  readonly embedded: ApiServer | undefined;
  /** The control plane that belongs to the environment, where it is one. */
  readonly controlPlane: ControlPlane | undefined;
  /** Makes the kinds of the definitions be served, in the form that they say now; resolves when they are. */
  install(definitions: readonly KubeObject[], using: InstallUsing): Promise<void>;
  /** Takes kinds away, with their objects; resolves when they are gone. */
  uninstall(definitions: readonly KubeObject[], using: InstallUsing): Promise<void>;
  /** Takes away what `install` brought, where it would stay. */
  leave(using: InstallUsing): Promise<void>;
  /** What the server has left to do, by name, as far as that can be known. */
  pending(): readonly string[];
  /** The kinds of which somebody has not seen everything, by name. */
  behind(readers: Readers): Promise<readonly string[]>;
  /** Makes those who are behind hear of it. */
  prod(): void;
  /** Calls back when `pending` may have changed. Returns what ends it. */
  onActivity(listener: () => void): () => void;
  stop(): Promise<void>;
}
