import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@kubewright/apiserver';
import { FakeClock, faultSchedule } from '@kubewright/testing';
import { Mortality } from './mortality.js';
import { asChild, inProcess, type Operator } from './operator.js';
import { wholeNumbers } from './whole-numbers.js';
import { type Scenario, Users } from './scenario.js';

/** What a schedule came to. */
export interface Outcome {
  readonly seed: number;
  readonly scenario: string;
  /** What was not true in the end; empty when all was well. */
  readonly unmet: readonly string[];
  /** What went wrong on purpose. */
  readonly injected: readonly string[];
  readonly deaths: number;
}

/** Virtual time after which a schedule counts as stuck. */
const LIMIT_MS = 30 * 60_000;
/** One schedule in so many runs the operator in a process of its own, on the real clock. */
const CHILD_EVERY = 10;
/** Real time after which one of those counts as stuck. */
const CHILD_LIMIT_MS = 120_000;

/** Runs a scenario under the faults and deaths that follow from the seed. */
export async function runSchedule(scenario: Scenario, seed: number): Promise<Outcome> {
  return new Run(scenario, seed).toTheEnd();
}

class Run {
  readonly #scenario: Scenario;
  readonly #seed: number;
  readonly #random: (below: number) => number;
  readonly #clock: FakeClock | undefined;
  readonly #faults;
  readonly #mortality: Mortality;
  #operator: Operator | undefined;
  #deaths = 0;

  constructor(scenario: Scenario, seed: number) {
    this.#scenario = scenario;
    this.#seed = seed;
    this.#random = wholeNumbers(seed);
    this.#clock = seed % CHILD_EVERY === 0 ? undefined : new FakeClock();
    // On the real clock every retry costs real time.
    const rate = this.#clock === undefined ? 0.02 + this.#random(8) / 100 : 0.05 + this.#random(31) / 100;
    this.#faults = faultSchedule(seed, { rate });
    const first = 1 + this.#random(12);
    const deaths = [first, first + 1 + this.#random(12)].map((atWrite) => ({ atWrite, done: this.#random(2) === 0 }));
    this.#mortality = new Mortality(this.#faults, deaths.slice(0, 1 + this.#random(2)), () => this.#deaths++);
  }

  async toTheEnd(): Promise<Outcome> {
    const clock = this.#clock === undefined ? {} : { clock: this.#clock };
    await using server = await ApiServer.start({ workloads: true, faults: this.#mortality, ...clock });
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-chaos-'));
    try {
      const kubeconfig = join(folder, 'kubeconfig');
      await server.writeKubeconfig(kubeconfig);
      const users = new Users(server, this.#scenario);
      const unmet = await this.#live(server, users, kubeconfig);
      return {
        seed: this.#seed,
        scenario: this.#scenario.name,
        unmet,
        injected: this.#faults.injected,
        deaths: this.#deaths,
      };
    } finally {
      await this.#operator?.kill();
      await rm(folder, { recursive: true });
    }
  }

  /** Users create, edit and delete, and somebody deletes children, while the operator lives and dies; gives what is not well in the end. */
  async #live(server: ApiServer, users: Users, kubeconfig: string): Promise<readonly string[]> {
    const [first, second] = this.#scenario.samples;
    if (first === undefined || second === undefined) throw new Error(`${this.#scenario.name} needs two samples`);
    const deeds = [
      () => users.create(first),
      () => users.create(second),
      () => users.edit(first),
      () => users.delete(second),
      () => users.deleteChildren(first),
      () => users.edit(first),
    ];
    for (const deed of deeds) {
      deed();
      // Half of the time the next deed comes before the operator has seen to the last one.
      const unmet = this.#random(2) === 0 ? await this.#converge(server, users, kubeconfig) : [];
      if (unmet.length > 0) return unmet;
    }
    const unmet = await this.#converge(server, users, kubeconfig);
    return unmet.length > 0 ? unmet : this.#staysSo(server, users, kubeconfig);
  }

  /** Nothing more goes wrong, and then nothing more is written. */
  async #staysSo(server: ApiServer, users: Users, kubeconfig: string): Promise<readonly string[]> {
    this.#faults.pause();
    const unmet = await this.#converge(server, users, kubeconfig);
    if (unmet.length > 0 || this.#clock === undefined) return unmet;
    const before = objectsVersion(server);
    await this.#clock.advance('2m');
    return objectsVersion(server) === before ? [] : ['something was written after everything had converged'];
  }

  async #converge(server: ApiServer, users: Users, kubeconfig: string): Promise<readonly string[]> {
    const unmet = (): readonly string[] => [
      ...users.unmet(),
      ...(this.#operator === undefined ? ['the operator is dead'] : this.#operator.pending()),
      ...server.pending().filter((name) => !name.startsWith('requests')),
    ];
    const deadline = this.#now() + (this.#clock === undefined ? CHILD_LIMIT_MS : LIMIT_MS);
    while (this.#now() < deadline) {
      await this.#reviveIfDead(server, kubeconfig);
      if (unmet().length === 0) return [];
      await this.#letTimePass(server);
    }
    return unmet();
  }

  async #reviveIfDead(server: ApiServer, kubeconfig: string): Promise<void> {
    if (this.#mortality.dead) {
      await this.#within(this.#operator?.kill());
      this.#operator = undefined;
      server.cutConnections();
      this.#mortality.revive();
    }
    if (this.#operator !== undefined) return;
    if (this.#clock === undefined) this.#operator = asChild(this.#scenario, kubeconfig);
    // A manager whose start fails has stopped, as a process that exits, and is started again.
    else this.#operator = await this.#within(inProcess(server, this.#scenario, this.#clock).catch(() => undefined));
  }

  /** The result of what may need the clock to go on. */
  async #within<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    if (this.#clock === undefined || work === undefined) return work;
    const progress = { settled: false };
    const watched = work.finally(() => {
      progress.settled = true;
    });
    watched.catch(() => undefined);
    while (!progress.settled && !this.#mortality.dead) await this.#clock.advance('50ms');
    return progress.settled ? watched : undefined;
  }

  async #letTimePass(server: ApiServer): Promise<void> {
    if (this.#clock !== undefined) return this.#clock.advance('50ms');
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, 1000);
      const end = server.onActivity(done);
      function done(): void {
        clearTimeout(timer);
        end();
        setImmediate(resolve);
      }
    });
  }

  #now(): number {
    return this.#clock?.monotonicMs() ?? performance.now();
  }
}

/** The newest version of any object but Events, which tell of what happened before. */
function objectsVersion(server: ApiServer): string {
  const versions = server.registry
    .stored()
    .filter(({ kind }) => kind !== 'Event')
    .flatMap((definition) => server.registry.resource(definition).list().items)
    .map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`);
  return versions.toSorted().join('\n');
}
