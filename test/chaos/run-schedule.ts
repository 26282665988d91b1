import type { ApiServer } from '@kubewright/apiserver';
import { FakeClock, faultSchedule } from '@kubewright/testing';
import { EmbeddedCluster } from './embedded-cluster.js';
import { type Hardships, hardshipsOf } from './hardships.js';
import { Mortality } from './mortality.js';
import { Replicas } from './replicas.js';
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
/** Real time after which a schedule on the real clock counts as stuck. */
const CHILD_LIMIT_MS = 120_000;
/** The wall clock is set by up to so much, forwards or back. */
const LONGEST_JUMP_MS = 6 * 60 * 60_000;
/** A replica is cut off for up to so much: less and more than it takes to lose a lease. */
const LONGEST_PARTITION_MS = 40_000;

/** Runs a scenario under the faults and deaths that follow from the seed. */
export async function runSchedule(scenario: Scenario, seed: number): Promise<Outcome> {
  return new Run(scenario, seed).toTheEnd();
}

/** What there is in a schedule. */
interface World {
  readonly cluster: EmbeddedCluster;
  readonly replicas: Replicas;
  readonly users: Users;
}

class Run {
  readonly #scenario: Scenario;
  readonly #seed: number;
  readonly #random: (below: number) => number;
  readonly #hardships: Hardships;
  readonly #clock: FakeClock | undefined;
  readonly #faults;
  readonly #mortality: Mortality;
  #deaths = 0;

  constructor(scenario: Scenario, seed: number) {
    this.#scenario = scenario;
    this.#seed = seed;
    this.#random = wholeNumbers(seed);
    this.#hardships = hardshipsOf(seed);
    this.#clock = this.#hardships.child ? undefined : new FakeClock();
    this.#faults = faultSchedule(seed, this.#hardships);
    const first = 1 + this.#random(12);
    const deaths = [first, first + 1 + this.#random(12)].map((atWrite) => ({ atWrite, done: this.#random(2) === 0 }));
    this.#mortality = new Mortality(this.#faults, deaths.slice(0, 1 + this.#random(2)), () => this.#deaths++);
  }

  async toTheEnd(): Promise<Outcome> {
    await using cluster = await EmbeddedCluster.start({
      faults: this.#mortality,
      restartable: this.#hardships.restarts > 0,
      ...(this.#clock !== undefined && { clock: this.#clock }),
    });
    await using replicas = await Replicas.prepare(this.#scenario, {
      cluster,
      clock: this.#clock,
      count: this.#hardships.replicas,
    });
    const unmet = await this.#live({ cluster, replicas, users: new Users(cluster, this.#scenario) });
    const { injected } = this.#faults;
    return { seed: this.#seed, scenario: this.#scenario.name, unmet, injected, deaths: this.#deaths };
  }

  /** Users create, edit and delete, and somebody deletes children, while the operator lives and dies; gives what is not well in the end. */
  async #live(world: World): Promise<readonly string[]> {
    const { users } = world;
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
    const troubles = this.#troubles(world, deeds.length);
    for (const [at, deed] of deeds.entries()) {
      deed();
      for (const trouble of troubles[at] ?? []) await trouble();
      // Half of the time the next deed comes before the operator has seen to the last one.
      const unmet = this.#random(2) === 0 ? await this.#converge(world) : [];
      if (unmet.length > 0) return unmet;
    }
    const unmet = await this.#converge(world);
    return unmet.length > 0 ? unmet : this.#staysSo(world);
  }

  /** What goes wrong with the machines after each of the deeds. */
  #troubles({ cluster, replicas }: World, deeds: number): readonly (readonly (() => Promise<void>)[])[] {
    const after = Array.from({ length: deeds }, (): (() => Promise<void>)[] => []);
    const some = (count: number, trouble: () => Promise<void>): void => {
      for (let each = 0; each < count; each++) after[this.#random(deeds)]?.push(trouble);
    };
    some(this.#hardships.restarts, () => cluster.restart());
    some(this.#hardships.clockJumps, async () => this.#setClock());
    some(this.#hardships.partitions, async () =>
      replicas.partition(this.#random(this.#hardships.replicas), this.#random(LONGEST_PARTITION_MS)),
    );
    return after;
  }

  #setClock(): void {
    const byMs = this.#random(2 * LONGEST_JUMP_MS) - LONGEST_JUMP_MS;
    this.#clock?.setTime(new Date(this.#clock.now().getTime() + byMs));
  }

  /** Nothing more goes wrong, and then nothing more is written. */
  async #staysSo(world: World): Promise<readonly string[]> {
    const { cluster } = world;
    this.#faults.pause();
    // What is late already arrives first: it may tell of what is long over, and be answered before the rest is known.
    await this.#clock?.advance(`${2 * this.#hardships.maxDelayMs}ms`);
    const unmet = await this.#converge(world);
    if (unmet.length > 0 || this.#clock === undefined) return unmet;
    const before = versionsOf(cluster.server);
    await this.#clock.advance('2m');
    const after = versionsOf(cluster.server);
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((object) => before.get(object) !== after.get(object))
      .map((object) => `${object} was written after everything had converged`);
  }

  async #converge(world: World): Promise<readonly string[]> {
    const { cluster, replicas, users } = world;
    const unmet = (): readonly string[] => [
      ...users.unmet(),
      ...replicas.unmet(),
      ...cluster.server.pending().filter((name) => !name.startsWith('requests')),
    ];
    const deadline = this.#now() + (this.#clock === undefined ? CHILD_LIMIT_MS : LIMIT_MS);
    while (this.#now() < deadline) {
      await this.#reviveIfDead(world);
      if (unmet().length === 0) return [];
      await this.#letTimePass(cluster.server);
    }
    return unmet();
  }

  async #reviveIfDead({ cluster, replicas }: World): Promise<void> {
    if (this.#mortality.dead) {
      await this.#within(replicas.kill());
      cluster.server.cutConnections();
      this.#mortality.revive();
    }
    if (replicas.isSomeDead) await replicas.revive((work) => this.#within(work));
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

/** The versions of all objects but Events, which tell of what happened before, and Leases, which are renewed for ever. */
function versionsOf(server: ApiServer): ReadonlyMap<string, string> {
  const objects = server.registry
    .stored()
    .filter(({ kind }) => kind !== 'Event' && kind !== 'Lease')
    .flatMap((definition) => server.registry.resource(definition).list().items);
  return new Map(
    objects.map(({ kind, metadata }) => [`${kind} ${metadata.name} (${metadata.uid})`, metadata.resourceVersion]),
  );
}
