import type { KubeObject } from '@kubewright/api';
import { countSteps } from '@kubewright/api/clock';
import { ApiServer } from '@kubewright/apiserver';
import { FakeClock } from './fake-clock.js';

import type { Connection } from '@kubewright/runtime';
import { inProcessConnection, type WatchedScope } from '@kubewright/runtime/internal';
import { InstalledDefinitions, type InstallUsing } from './installed-definitions.js';
import type { TestEnvironmentOptions } from './test-environment-options.js';
import type { Readers, TestServer } from './test-server.js';

/** The API server in this process. The environment can determine the complete state of the server, including its pending work. */
export class EmbeddedServer implements TestServer {
  readonly connection: Connection;
  readonly embedded: ApiServer;
  readonly controlPlane = undefined;
  readonly #onStop: () => void;
  readonly #definitions = new InstalledDefinitions();

  private constructor(server: ApiServer, { transport }: TestEnvironmentOptions, onStop: () => void) {
    this.embedded = server;
    this.#onStop = onStop;
    const { url, certificateAuthority, token } = server;
    const connection = { server: url, ca: certificateAuthority, token };
    this.connection = transport === 'in-process' ? inProcessConnection(connection, server) : connection;
  }

  static async start(options: TestEnvironmentOptions): Promise<EmbeddedServer> {
    const { clock, version, faults, workloads, nodes, podBehaviours } = options;
    // With a fake clock, the load of the machine must not change the order of work.
    const endCounting = clock instanceof FakeClock ? countSteps() : () => undefined;
    try {
      const server = await ApiServer.start({
        ...(clock && { clock }),
        ...(version !== undefined && { kubernetesVersion: version }),
        ...(faults && { faults }),
        ...(workloads !== undefined && { workloads }),
        ...(nodes !== undefined && { nodes }),
        ...(podBehaviours && { podBehaviours }),
      });
      return new EmbeddedServer(server, options, endCounting);
    } catch (error) {
      endCounting();
      throw error;
    }
  }

  /** Applies the definitions. The server serves the kinds as soon as the requests return. */
  async install(definitions: readonly KubeObject[], { client }: InstallUsing): Promise<void> {
    for (const definition of definitions) await client.apply(definition);
  }
  uninstall(definitions: readonly KubeObject[], using: InstallUsing): Promise<void> {
    return this.#definitions.remove(definitions, using);
  }
  /** Does nothing, because the definitions are deleted together with the server. */
  leave(): Promise<void> {
    return Promise.resolve();
  }

  pending(options?: { readonly timers: boolean }): readonly string[] {
    return this.embedded.pending(options);
  }
  waiting(): ReadonlySet<string> {
    return this.embedded.waiting;
  }
  hasReached(scope: WatchedScope<KubeObject>): boolean {
    return scope.hasPassed(this.embedded.resourceVersion);
  }
  objectCount(): number {
    const { registry } = this.embedded;
    return registry.stored().reduce((sum, kind) => sum + registry.resource(kind).list().items.length, 0);
  }
  async behind({ managers, cache }: Readers): Promise<readonly string[]> {
    const version = this.embedded.resourceVersion;
    const behind = await Promise.all(managers.map((manager) => manager.caughtUp(version)));
    const own = cache.informers().filter((informer) => !informer.hasPassed(version));
    return [...behind.flat(), ...own.map(({ kind }) => kind)];
  }
  prod(): void {
    this.embedded.sendBookmarks();
  }
  onActivity(listener: () => void): () => void {
    return this.embedded.onActivity(listener);
  }
  async stop(): Promise<void> {
    await this.embedded.stop();
    this.#onStop();
  }
}
