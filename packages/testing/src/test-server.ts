import type { KindRef } from '@kubewright/api';
import type { ApiServer } from '@kubewright/apiserver';
import type { Client, Manager } from '@kubewright/runtime';
import type { Connection, InformerCache } from '@kubewright/runtime/internal';

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
  /** Makes the kinds be served; resolves when they are. */
  install(kinds: readonly KindRef[], using: { readonly client: Client; readonly cache: InformerCache }): Promise<void>;
  /** Takes away what `install` brought, where it would stay. */
  uninstall(client: Client): Promise<void>;
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
