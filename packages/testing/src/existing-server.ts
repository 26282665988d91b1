import type { KindRef } from '@kubewright/api';
import type { Client } from '@kubewright/runtime';
import { type Connection, type InformerCache, loadConnection } from '@kubewright/runtime/internal';
import { InstalledDefinitions } from './installed-definitions.js';
import type { Readers, TestServer } from './test-server.js';

/** The cluster of the current kubeconfig. Only what it serves is known of it, not what its own controllers still have to do. */
export class ExistingServer implements TestServer {
  readonly connection: Connection;
  readonly embedded = undefined;
  readonly #definitions = new InstalledDefinitions();

  private constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Rejects with INVALID_KUBECONFIG and NO_CLUSTER. */
  static async connect(): Promise<ExistingServer> {
    return new ExistingServer(await loadConnection());
  }

  install(kinds: readonly KindRef[], using: { readonly client: Client; readonly cache: InformerCache }): Promise<void> {
    return this.#definitions.install(kinds, using);
  }
  uninstall(client: Client): Promise<void> {
    return this.#definitions.remove(client);
  }

  pending(): readonly string[] {
    return [];
  }
  async behind({ managers, cache }: Readers): Promise<readonly string[]> {
    const behind = await Promise.all([cache.behind(), ...managers.map((manager) => manager.behind())]);
    return behind.flat();
  }
  /** Its watches tell by themselves. */
  prod(): void {
    return undefined;
  }
  onActivity(): () => void {
    return () => undefined;
  }
  async stop(): Promise<void> {
    await Promise.resolve();
  }
}
