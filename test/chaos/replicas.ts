import { NetworkProxy } from '@kubewright/testing';
import type { EmbeddedCluster } from './embedded-cluster.js';
import { asChild, inProcess, type Operator } from './operator.js';
import type { ScheduleClock } from './schedule-clock.js';
import { PendingRequests } from './pending-requests.js';
import type { Scenario } from './scenario.js';

/** A replica of an operator, which can be started again after it ends. If there are several replicas, each has its own network. */
class Replica {
  operator: Operator | undefined;
  readonly network: NetworkProxy | undefined;

  constructor(network: NetworkProxy | undefined) {
    this.network = network;
  }
}

/** The replicas of an operator. If there are several replicas, leader election decides which replica writes. */
export class Replicas implements AsyncDisposable {
  readonly #scenario: Scenario;
  readonly #cluster: EmbeddedCluster;
  readonly #time: ScheduleClock;
  readonly #replicas: readonly Replica[];
  readonly #requests = new PendingRequests();
  #sawTwoLeaders = false;

  private constructor(
    scenario: Scenario,
    using: { readonly cluster: EmbeddedCluster; readonly time: ScheduleClock },
    replicas: readonly Replica[],
  ) {
    this.#scenario = scenario;
    this.#cluster = using.cluster;
    this.#time = using.time;
    this.#replicas = replicas;
    using.time.clock?.onAdvance(() => this.#requests.settled());
  }

  /** Prepares the replicas, and does not start them. Without a fake clock, there is one replica, in its own process. */
  static async prepare(
    scenario: Scenario,
    using: { readonly cluster: EmbeddedCluster; readonly time: ScheduleClock; readonly count: number },
  ): Promise<Replicas> {
    const replicas: Replica[] = [];
    for (let each = 0; each < using.count; each++) {
      replicas.push(new Replica(using.count > 1 ? await NetworkProxy.open(using.cluster.connection) : undefined));
    }
    return new Replicas(scenario, using, replicas);
  }

  /** Describes unfinished work and violations of leader election. */
  unmet(): readonly string[] {
    const leaders = this.#replicas.filter(({ operator }) => operator?.isLeader() === true);
    if (leaders.length > 1) this.#sawTwoLeaders = true;
    if (this.#sawTwoLeaders) return ['two replicas were leaders at the same time'];
    if (leaders.length === 0) return ['no operator is the leader'];
    return this.#replicas.flatMap(({ operator }) => operator?.pending() ?? []);
  }

  /** Whether at least one replica does not run. */
  get isAnyStopped(): boolean {
    return this.#replicas.some(({ operator }) => operator === undefined || operator.hasEnded());
  }

  /** Returns the requests that are under way. */
  requests(): readonly string[] {
    return this.#requests.pending();
  }

  /** Starts the replicas that do not run. Advances the clock until the replicas have started or `isObsolete` returns true. */
  async restart(isObsolete: () => boolean): Promise<void> {
    for (const replica of this.#replicas) {
      if (replica.operator !== undefined && !replica.operator.hasEnded()) continue;
      const { clock } = this.#time;
      if (clock === undefined) {
        replica.operator = asChild(this.#scenario, await this.#cluster.writeKubeconfig());
        continue;
      }
      const operator = inProcess(this.#scenario, {
        connection: (replica.network ?? this.#cluster).connection,
        clock,
        observers: [this.#requests],
        elected: this.#replicas.length > 1,
      });
      replica.operator = operator;
      await this.#time.during('the start of an operator', operator.started, isObsolete);
    }
  }

  /** Kills all replicas, as in a power failure. Advances the clock until the replicas have ended. */
  async kill(): Promise<void> {
    const living = this.#replicas.flatMap(({ operator }) => operator ?? []);
    for (const replica of this.#replicas) replica.operator = undefined;
    await this.#time.finally('the end of the operators', Promise.all(living.map((operator) => operator.kill())));
  }

  /**
   * Disconnects one replica from the server for the given time on the fake clock. Neither side gets an error. Does nothing if the replica
   * has no network of its own.
   */
  partition(at: number, forMs: number): void {
    const network = this.#replicas[at % this.#replicas.length]?.network;
    network?.partition();
    this.#time.clock?.schedule(forMs, () => network?.heal());
  }

  /** Pauses the replicas that run in their own process until `resume` is called. Replicas in this process continue to run. */
  pause(): void {
    for (const { operator } of this.#replicas) operator?.pause();
  }
  resume(): void {
    for (const { operator } of this.#replicas) operator?.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { network } of this.#replicas) network?.heal();
    await this.kill();
    for (const { network } of this.#replicas) await network?.close();
  }
}
