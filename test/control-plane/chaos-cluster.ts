import { inspect } from 'node:util';
import { Transport } from '@kubewright/runtime/internal';
import { FaultProxy, faultSchedule, TestEnvironment } from '@kubewright/testing';
import { CrashInjector } from '../chaos/crash-injector.js';
import { type InProcessOptions, inProcess, type Operator } from '../chaos/operator.js';
import type { Outcome } from '../chaos/run-schedule.js';
import type { ResourcePath, Scenario } from '../chaos/scenario.js';
import { wholeNumbers } from '../chaos/whole-numbers.js';
import { ClusterUsers } from './cluster-users.js';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

const POLL_MS = 100;

/** Returns how many schedules of a scenario may run concurrently. */
export function concurrencyOf({ samples }: Scenario): number {
  // Schedules with cluster-scoped samples use the same objects, so they must not run concurrently.
  return samples.every(({ metadata }) => metadata.namespace !== undefined) ? 6 : 1;
}

/** A real control plane that runs scenarios under faults. */
export class ChaosCluster implements AsyncDisposable {
  readonly #env: TestEnvironment;
  readonly #transport: Transport;

  private constructor(env: TestEnvironment) {
    this.#env = env;
    this.#transport = new Transport(env.connection);
  }

  /** Starts a control plane with the kinds and the prepared objects of the scenarios. */
  static async start(scenarios: readonly Scenario[]): Promise<ChaosCluster> {
    const kinds = scenarios.flatMap((scenario) => scenario.kinds);
    const cluster = new ChaosCluster(await TestEnvironment.start({ server: 'control-plane', workloads: true, kinds }));
    for (const { object, resource } of scenarios.flatMap(({ prepared = [] }) => prepared)) {
      await cluster.#post(resource, object);
    }
    return cluster;
  }

  /**
   * Runs a scenario: users create, edit, and delete objects and their children while requests fail and the operator crashes and restarts.
   */
  async run(scenario: Scenario, seed: number): Promise<Outcome> {
    const random = wholeNumbers(seed);
    const faults = faultSchedule(seed, { rate: 0.02 + random(8) / 100 });
    const first = 1 + random(12);
    const crashPoints = [first, first + 1 + random(12)].map((atWrite) => ({ atWrite, done: random(2) === 0 }));
    let crashCount = 0;
    const crashes = new CrashInjector(faults, crashPoints.slice(0, 1 + random(2)), () => crashCount++);
    const ended = this.#runActions({ scenario, seed, random, crashes });
    const unmet = await ended.catch((error: unknown) => [`the schedule threw ${inspect(error)}`]);
    return {
      seed,
      scenario: scenario.name,
      unmet,
      injected: faults.injected,
      crashes: crashCount,
      crashedAt: crashes.crashes,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.#env[Symbol.asyncDispose]();
  }

  async #runActions({ scenario, seed, random, crashes }: RunOptions): Promise<readonly string[]> {
    const namespace = concurrencyOf(scenario) > 1 ? `${scenario.name}-${seed}` : undefined;
    if (namespace !== undefined) await this.#post('/v1/namespaces', { metadata: { name: namespace } });
    await using proxy = await FaultProxy.open({
      upstream: this.#env.connection,
      certificate: await this.#env.controlPlane.files.servingCertificate(),
      faults: crashes,
    });
    const where = { connection: proxy.connection, ...(namespace !== undefined && { namespaces: [namespace] }) };
    await using operator = new RestartableOperator(scenario, where);
    const users = new ClusterUsers(this.#transport, scenario, namespace);
    const [one, two] = scenario.samples;
    if (one === undefined || two === undefined) throw new Error(`${scenario.name} needs two samples`);
    const actions = [
      () => users.create(one),
      () => users.create(two),
      () => users.edit(one),
      () => users.delete(two),
      () => users.deleteChildren(one),
      () => users.edit(one),
    ];
    const converged = () => converge(users, { operator, crashes, proxy });
    for (const [at, action] of actions.entries()) {
      await action();
      // In half of the cases, the next action starts before the operator has reconciled the previous action.
      if (at < actions.length - 1 && random(2) === 0) continue;
      const unmet = await converged();
      if (unmet.length > 0) return unmet;
    }
    if (namespace !== undefined) return [];
    // The next schedule uses the same names.
    await users.delete(one);
    return await converged();
  }

  async #post(resource: ResourcePath, body: object): Promise<void> {
    const [group, version, plural] = resource.split('/');
    const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/${plural}`;
    await this.#transport.request({ method: 'POST', path, body });
  }
}

interface RunOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly random: (below: number) => number;
  readonly crashes: CrashInjector;
}

interface ChaosRun {
  readonly operator: RestartableOperator;
  readonly crashes: CrashInjector;
  readonly proxy: FaultProxy;
}

async function converge(users: ClusterUsers, { operator, crashes, proxy }: ChaosRun): Promise<readonly string[]> {
  const end = performance.now() + HANG_LIMIT_MS;
  for (;;) {
    if (crashes.isCrashed) {
      await operator.kill();
      proxy.cutConnections();
      crashes.restart();
    }
    operator.restartIfEnded();
    const unmet = await users.unmet();
    if (unmet.length === 0 || performance.now() > end) return unmet;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The operator of a scenario, which the schedule can start again after a crash. */
class RestartableOperator implements AsyncDisposable {
  readonly #scenario: Scenario;
  readonly #where: InProcessOptions;
  #operator: Operator | undefined;

  constructor(scenario: Scenario, where: InProcessOptions) {
    this.#scenario = scenario;
    this.#where = where;
  }

  /** Starts the operator unless it is running. Does not wait for the start. If the start fails, the next call starts the operator again. */
  restartIfEnded(): void {
    if (this.#operator?.hasEnded() === false) return;
    this.#operator = inProcess(this.#scenario, this.#where);
  }

  async kill(): Promise<void> {
    await this.#operator?.kill();
    this.#operator = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
