import { inspect } from 'node:util';
import type { ApiServer } from '@kubewright/apiserver';
import { FakeClock, faultSchedule } from '@kubewright/testing';
import { EmbeddedCluster } from './embedded-cluster.js';
import { type ChaosConfig, chaosConfigOf } from './chaos-config.js';
import { CrashInjector } from './crash-injector.js';
import { parseCrash } from './crash-point.js';
import { ScheduleClock } from './schedule-clock.js';
import { Replicas } from './replicas.js';
import { wholeNumbers } from './whole-numbers.js';
import type { Scenario } from './scenario.js';
import { Users } from './users.js';

/** The result of a schedule. */
export interface Outcome {
  readonly seed: number;
  readonly scenario: string;
  /** The scenario parameters that the seed determines, one line each. */
  readonly detail?: readonly string[];
  /** Descriptions of the conditions that do not hold at the end. Empty if the schedule succeeded. */
  readonly unmet: readonly string[];
  /** The injected faults. */
  readonly injected: readonly string[];
  readonly crashes: number;
  /** The writes at which the operator crashed, in the format of `--crash`. */
  readonly crashedAt?: readonly string[];
  /** Whether the schedule was aborted because it did not end. Its remaining work may disturb other schedules in this process. */
  readonly isStuck?: boolean;
}

/** Real time in milliseconds after which a schedule is aborted. On an idle machine most schedules take less than a second. */
export const STUCK_MS = 180_000;
/** Virtual time in milliseconds after which a schedule counts as stuck. */
const LIMIT_MS = 30 * 60_000;
/** Real time in milliseconds without a request after which a schedule on the real clock counts as stuck. */
const CHILD_LIMIT_MS = 45_000;
/** Maximum change of the wall clock in milliseconds, forwards or backwards. */
const LONGEST_JUMP_MS = 6 * 60 * 60_000;
/** Maximum duration of a partition in milliseconds. A partition can be shorter or longer than the time after which a lease is lost. */
const LONGEST_PARTITION_MS = 40_000;

/** Options of a schedule: the conditions under which it is aborted, and its crashes. */
export interface ScheduleOptions {
  /** Real time in milliseconds after which the schedule is aborted. @default three minutes */
  readonly limitMs?: number;
  /** Aborts the schedule. @default never */
  readonly signal?: AbortSignal;
  /** The crashes, in the format of `Outcome.crashedAt`, instead of the crashes that the seed determines. @default the crashes of the seed */
  readonly crashes?: readonly string[] | undefined;
}

/**
 * Runs a scenario with the faults and crashes that the seed determines. A schedule that throws or that is aborted fails, and its outcome
 * lists the operations that it was waiting for.
 */
export async function runSchedule(
  scenario: Scenario,
  seed: number,
  { limitMs = STUCK_MS, signal, crashes }: ScheduleOptions = {},
): Promise<Outcome> {
  const over = new AbortController();
  const run = new Run(scenario.forSeed?.(seed) ?? scenario, seed, { over: over.signal, crashes });
  const stuck = new Promise<Outcome>((resolve) => {
    over.signal.addEventListener('abort', () => {
      const why = (over.signal.reason as Error).message;
      resolve({ ...run.outcome([why, ...run.awaited()]), isStuck: true });
    });
  });
  const ended = run.toTheEnd().catch((error: unknown) => run.outcome([`the schedule threw ${inspect(error)}`]));
  const timer = setTimeout(() => over.abort(new Error(`the schedule did not end within ${limitMs / 1000} s`)), limitMs);
  signal?.addEventListener('abort', () => over.abort(signal.reason), { once: true });
  try {
    return await Promise.race([ended, stuck]);
  } finally {
    clearTimeout(timer);
  }
}

/** The components of a running schedule. */
interface World {
  readonly cluster: EmbeddedCluster;
  readonly replicas: Replicas;
  readonly users: Users;
}

class Run {
  readonly #scenario: Scenario;
  readonly #seed: number;
  readonly #random: (below: number) => number;
  readonly #config: ChaosConfig;
  readonly #time: ScheduleClock;
  readonly #faults;
  readonly #crashes: CrashInjector;
  #crashCount = 0;
  #world: World | undefined;

  constructor(
    scenario: Scenario,
    seed: number,
    { over, crashes }: { readonly over: AbortSignal; readonly crashes: readonly string[] | undefined },
  ) {
    this.#scenario = scenario;
    this.#seed = seed;
    this.#random = wholeNumbers(seed);
    this.#config = chaosConfigOf(seed, scenario);
    this.#time = new ScheduleClock(this.#config.child ? undefined : new FakeClock(), over);
    this.#faults = faultSchedule(seed, this.#config);
    const first = 1 + this.#random(12);
    const crashPoints = [first, first + 1 + this.#random(12)].map((atWrite) => ({
      atWrite,
      done: this.#random(2) === 0,
    }));
    const drawn = crashPoints.slice(0, 1 + this.#random(2));
    this.#crashes = new CrashInjector(this.#faults, crashes?.map(parseCrash) ?? drawn, () => this.#crashCount++);
  }

  async toTheEnd(): Promise<Outcome> {
    const cluster = await this.#time.noted('the start of the server', this.#startCluster());
    this.#time.clock?.onAdvance(() => cluster.durable());
    try {
      await using replicas = await Replicas.prepare(this.#scenario, {
        cluster,
        time: this.#time,
        count: this.#config.replicas,
      });
      this.#world = { cluster, replicas, users: new Users(cluster, this.#scenario) };
      return this.outcome(await this.#runActions(this.#world));
    } finally {
      await this.#time.noted('the end of the server', cluster[Symbol.asyncDispose]());
    }
  }

  outcome(unmet: readonly string[]): Outcome {
    const { injected } = this.#faults;
    const { name, detail = [] } = this.#scenario;
    return {
      seed: this.#seed,
      scenario: name,
      detail,
      unmet,
      injected,
      crashes: this.#crashCount,
      crashedAt: this.#crashes.crashes,
    };
  }

  /** Returns the operations that the schedule is waiting for, one line each. */
  awaited(): readonly string[] {
    const left = {
      'pending operations': this.#time.awaited(),
      'unmet conditions': this.#world === undefined ? [] : this.#unmet(this.#world),
      'requests in progress': this.#world?.replicas.requests() ?? [],
      'active resources of the process': process.getActiveResourcesInfo(),
    };
    return [
      `${this.#time.nowMs()} ms have passed on the clock of the schedule`,
      ...Object.entries(left).map(([what, names]) => `${what}: ${names.join(', ') || 'nothing'}`),
    ];
  }

  #startCluster(): Promise<EmbeddedCluster> {
    const { clock } = this.#time;
    return EmbeddedCluster.start({
      faults: this.#crashes,
      restartable: this.#config.restarts > 0,
      ...(clock !== undefined && { clock }),
    });
  }

  /** Performs the actions of the users while the operator crashes and restarts. Returns the conditions that do not hold at the end. */
  async #runActions(world: World): Promise<readonly string[]> {
    const { users } = world;
    const [first, second] = this.#scenario.samples;
    if (first === undefined || second === undefined) throw new Error(`${this.#scenario.name} needs two samples`);
    const actions = [
      () => users.create(first),
      () => users.create(second),
      () => users.edit(first),
      () => users.delete(second),
      () => users.deleteChildren(first),
      () => users.edit(first),
    ];
    const disruptions = this.#disruptions(world, actions.length);
    for (const [at, action] of actions.entries()) {
      action();
      for (const disrupt of disruptions[at] ?? []) await disrupt();
      // In half of the cases, the next action starts before the operator has reconciled the previous action.
      const unmet = this.#random(2) === 0 ? await this.#converge(world) : [];
      if (unmet.length > 0) return unmet;
    }
    const unmet = await this.#converge(world);
    return unmet.length > 0 ? unmet : this.#staysConverged(world);
  }

  /** Returns the disruptions (such as restarts, clock jumps and kills) to inject after each user action. */
  #disruptions({ cluster, replicas }: World, actions: number): readonly (readonly (() => Promise<void>)[])[] {
    const after = Array.from({ length: actions }, (): (() => Promise<void>)[] => []);
    const some = (count: number, disrupt: () => Promise<void>): void => {
      for (let each = 0; each < count; each++) after[this.#random(actions)]?.push(disrupt);
    };
    some(this.#config.restarts, () => this.#time.noted('a restart of the server', cluster.restart()));
    some(this.#config.clockJumps, async () => this.#setClock());
    some(this.#config.partitions, async () =>
      replicas.partition(this.#random(this.#config.replicas), this.#random(LONGEST_PARTITION_MS)),
    );
    some(this.#config.kills, () => replicas.kill());
    some(this.#config.pauses, async () => replicas.pause());
    return after;
  }

  #setClock(): void {
    const byMs = this.#random(2 * LONGEST_JUMP_MS) - LONGEST_JUMP_MS;
    const { clock } = this.#time;
    clock?.setTime(new Date(clock.now().getTime() + byMs));
  }

  /**
   * Stops all faults and waits for convergence. On the fake clock, then reports the objects that the operator writes in the following two
   * minutes.
   */
  async #staysConverged(world: World): Promise<readonly string[]> {
    const { cluster } = world;
    const { clock } = this.#time;
    this.#faults.pause();
    this.#crashes.disable();
    // First delivers delayed events. An operator may react to an outdated event before it receives newer events.
    await clock?.advance(`${2 * this.#config.maxDelayMs}ms`);
    const unmet = await this.#converge(world);
    if (unmet.length > 0 || clock === undefined) return unmet;
    const before = versionsOf(cluster.server);
    await this.#time.noted('two quiet minutes', clock.advance('2m'));
    const after = versionsOf(cluster.server);
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((object) => before.get(object) !== after.get(object))
      .map((object) => `${object} was written after everything had converged`);
  }

  async #converge(world: World): Promise<readonly string[]> {
    const limitMs = this.#config.child ? CHILD_LIMIT_MS : LIMIT_MS;
    let sinceMs = this.#time.nowMs();
    world.replicas.resume();
    while (this.#time.nowMs() < sinceMs + limitMs) {
      await this.#restartIfCrashed(world);
      if (this.#unmet(world).length === 0) return [];
      const isProgress = await this.#letTimePass(world.cluster.server);
      if (isProgress) sinceMs = this.#time.nowMs();
    }
    return this.#unmet(world);
  }

  #unmet({ cluster, replicas, users }: World): readonly string[] {
    return [
      ...(this.#crashes.isCrashed ? ['the operator does not run'] : []),
      ...users.unmet(),
      ...replicas.unmet(),
      ...cluster.server.pending().filter((name) => !name.startsWith('requests')),
    ];
  }

  async #restartIfCrashed({ cluster, replicas }: World): Promise<void> {
    if (this.#crashes.isCrashed) {
      await replicas.kill();
      cluster.server.cutConnections();
      this.#crashes.restart();
    }
    if (replicas.isAnyStopped) await replicas.restart(() => this.#crashes.isCrashed);
  }

  /**
   * Advances the fake clock by one step and returns false. On the real clock, waits up to 1 s for activity of the server, and returns
   * whether there was activity.
   */
  async #letTimePass(server: ApiServer): Promise<boolean> {
    if (this.#time.clock !== undefined) {
      await this.#time.step();
      return false;
    }
    return new Promise((resolve) => {
      const done = (isProgress: boolean): void => {
        clearTimeout(timer);
        end();
        setImmediate(resolve, isProgress);
      };
      const timer = setTimeout(() => done(false), 1000);
      const end = server.onActivity(() => done(true));
    });
  }
}

/** Returns the versions of all objects except Events, which may still report earlier changes, and Leases, which are always renewed. */
function versionsOf(server: ApiServer): ReadonlyMap<string, string> {
  const objects = server.registry
    .stored()
    .filter(({ kind }) => kind !== 'Event' && kind !== 'Lease')
    .flatMap((definition) => server.registry.resource(definition).list().items);
  return new Map(
    objects.map(({ kind, metadata }) => [`${kind} ${metadata.name} (${metadata.uid})`, metadata.resourceVersion]),
  );
}
