import type { KindRef } from '@kubewright/api';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { ApiServer } from '@kubewright/apiserver';

import type { Connection } from '@kubewright/runtime/internal';
import type { InstallUsing } from './installed-definitions.js';
import { installKinds } from './installed-kinds.js';
import type { TestEnvironmentOptions } from './test-environment-options.js';
import type { Readers, TestServer } from './test-server.js';

/** The API server in this process, of which everything is known. */
export class EmbeddedServer implements TestServer {
  readonly embedded: ApiServer;
  readonly controlPlane = undefined;

  private constructor(server: ApiServer) {
    this.embedded = server;
  }

  static async start({ clock, faults, workloads }: TestEnvironmentOptions): Promise<EmbeddedServer> {
    const server = await ApiServer.start({
      ...(clock && { clock }),
      ...(faults && { faults }),
      ...(workloads !== undefined && { workloads }),
    });
    return new EmbeddedServer(server);
  }

  get connection(): Connection {
    const { url, certificateAuthority, token } = this.embedded;
    return { server: url, ca: certificateAuthority, token };
  }

  install(kinds: readonly KindRef[], { client }: InstallUsing): Promise<void> {
    return installKinds(client, kinds);
  }
  /** Everything goes with the server. */
  uninstall(): Promise<void> {
    return Promise.resolve();
  }

  pending(): readonly string[] {
    return this.embedded.pending();
  }
  async behind({ managers, cache }: Readers): Promise<readonly string[]> {
    const version = this.embedded.resourceVersion;
    const behind = await Promise.all(managers.map((manager) => manager.caughtUp(version)));
    const own = cache
      .informers()
      .filter(({ resourceVersion: seen }) => seen === '' || compareResourceVersions(seen, version) < 0);
    return [...behind.flat(), ...own.map(({ kind }) => kind)];
  }
  prod(): void {
    this.embedded.sendBookmarks();
  }
  onActivity(listener: () => void): () => void {
    return this.embedded.onActivity(listener);
  }
  stop(): Promise<void> {
    return this.embedded.stop();
  }
}
