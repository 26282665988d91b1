import assert from 'node:assert/strict';
import type { Clock } from '@kubewright/api/clock';
import * as foo from '@kubewright/example-foo';
import { type Connection, Manager } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { reconcileContext, type TestEnvironment } from '@kubewright/testing';
import { scenarioNamed } from '../chaos/scenarios.js';
import { ClusterUsers } from './cluster-users.js';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

const POLL_MS = 50;

/** The connection and the clock of the operator. */
export interface OperatedOptions {
  readonly connection: Connection;
  /** A fake clock. `until` advances the clock by one second at each poll. */
  readonly clock?: Clock & { advance(by: '1s'): Promise<void> };
}

/** The Foo operator in this process, and the users of its Foos, in one namespace of a control plane. */
export class RunningFoo implements AsyncDisposable {
  readonly manager: Manager;
  readonly users: ClusterUsers;
  readonly sample = foo.samples[0];
  readonly #transport: Transport;
  readonly #clock: OperatedOptions['clock'];

  private constructor(transport: Transport, namespace: string, { connection, clock }: OperatedOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.users = new ClusterUsers(transport, scenarioNamed('foo'), namespace);
    this.manager = new Manager({
      connection,
      namespaces: [namespace],
      logger: reconcileContext().log,
      signals: false,
      ...(clock && { clock }),
    }).add(...foo.controllers);
  }

  /** Creates a namespace, starts the operator in the namespace, and creates one Foo. Resolves when the Foo has converged. */
  static async start(env: TestEnvironment, namespace: string, options: OperatedOptions): Promise<RunningFoo> {
    const transport = new Transport(env.connection);
    await transport.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
    const operated = new RunningFoo(transport, namespace, options);
    await operated.manager.start();
    assert.ok(operated.sample);
    await operated.users.create(operated.sample);
    await operated.converged();
    return operated;
  }

  async edit(): Promise<void> {
    assert.ok(this.sample);
    await this.users.edit(this.sample);
  }
  async deleteChildren(): Promise<void> {
    assert.ok(this.sample);
    await this.users.deleteChildren(this.sample);
  }

  /** Resolves when all objects are in the desired state and the operator is ready. */
  async converged(): Promise<void> {
    let unmet: readonly string[] = [];
    await this.until(
      () => `all objects have converged: ${unmet.join('; ')}`,
      async () => {
        unmet = await this.users.unmet();
        return unmet.length === 0;
      },
    );
    await this.until('the operator is ready', () => Promise.resolve(this.manager.readiness().ready));
  }
  /** Resolves as soon as the operator is not ready, with the reasons. */
  async unready(): Promise<readonly string[]> {
    await this.until('the operator is not ready', () => Promise.resolve(!this.manager.readiness().ready));
    return this.manager.readiness().reasons;
  }

  async until(what: string | (() => string), isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + HANG_LIMIT_MS;
    const missed = (): string => (typeof what === 'string' ? what : what());
    while (!(await isSo())) {
      if (performance.now() > end)
        assert.fail(`after ${HANG_LIMIT_MS / 1000} s this condition is still false: ${missed()}`);
      await this.#clock?.advance('1s');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.manager.stop();
    await this.#transport.close();
  }
}
