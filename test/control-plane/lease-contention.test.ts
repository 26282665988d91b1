import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ControlPlaneBinaries, NetworkProxy, randomNumbers, type TestEnvironment } from '@kubewright/testing';
import { Contender } from '../leader-election/contender.js';
import { LeadingTerms, type Term } from '../leader-election/leading-terms.js';
import { LeaseHistory } from '../leader-election/lease-history.js';
import { startEnvironment } from '../server/start-environment.js';

const seconds = Number(process.env['KUBEWRIGHT_CONTENTION_SECONDS'] || 120);
const seed = process.env['KUBEWRIGHT_CONTENTION_SEED'] || '1';
const upstream = join(ControlPlaneBinaries.find()?.folder ?? '', 'contender');
const skip = existsSync(upstream) ? false : 'the program with client-go is not built';
const lease = 'contended';
/** Short times cause many handovers. The retry period exceeds 1 s, because client-go writes renewal times with a precision of 1 s. */
const times = { duration: '4s', renewDeadline: '2500ms', retryPeriod: '1100ms' };

type Kind = 'client-go' | 'kubewright';

/** A contender with its own network connection. */
interface Competitor {
  readonly kind: Kind;
  readonly contender: Contender;
  readonly network: NetworkProxy;
}

/** Runs one client-go contender and one Kubewright contender, and disturbs the contenders. */
class Contest implements AsyncDisposable {
  readonly terms = new LeadingTerms();
  readonly #env: TestEnvironment;
  readonly #random: () => number;
  readonly #competitors = new Map<Kind, Competitor>();
  #started = 0;

  constructor(env: TestEnvironment, random: () => number) {
    this.#env = env;
    this.#random = random;
  }

  async start(kind: Kind): Promise<void> {
    const network = await NetworkProxy.open(this.#env.connection);
    const identity = `${kind}-${++this.#started}`;
    const command = kind === 'client-go' ? { command: [upstream] } : {};
    const release = this.#random() < 0.5;
    const options = { identity, connection: network.connection, lease, times, release, ...command };
    this.#competitors.set(kind, { kind, network, contender: new Contender(options, this.terms.note) });
  }

  /** Waits while the leader works for some time, then disturbs the leader or the other contender. Resolves when a leader works again. */
  async round(): Promise<void> {
    const leader = await this.#workingLeader();
    const competitor = this.#competitorOf(leader);
    const actions = this.#actions(competitor, leader);
    await actions[Math.floor(this.#random() * actions.length)]?.();
    await this.#workingLeader();
  }

  output(): string {
    return [...this.#competitors.values()]
      .map(({ contender }) => `${contender.identity}: ${contender.output}`)
      .join('\n');
  }
  async [Symbol.asyncDispose](): Promise<void> {
    for (const competitor of this.#competitors.values()) await end(competitor);
  }

  /** Resolves with the term of a leader that has led for some time. */
  async #workingLeader(): Promise<Term> {
    const forMs = 50 + this.#random() * 1500;
    return this.terms.until(
      ({ fromMs, lastActMs, stoppedMs }) => stoppedMs === undefined && lastActMs - fromMs > forMs,
    );
  }

  #actions(competitor: Competitor, leader: Term): readonly (() => Promise<void>)[] {
    const { contender, network, kind } = competitor;
    const other = this.#otherThan(competitor);
    const succeeded = (): Promise<Term> => this.terms.until(({ identity }) => identity !== leader.identity);
    const ends = (ending: 'stopped' | 'killed') => async () => {
      this.terms.endedBy(leader, ending);
      await (ending === 'stopped' ? contender.stop() : contender.kill());
      // In half of the cases, the replacement starts before the other contender takes the Lease, so the replacement may take the Lease.
      if (this.#random() < 0.5) await succeeded();
      await this.#replace(competitor);
      await succeeded();
    };
    const partitions = async (): Promise<void> => {
      this.terms.endedBy(leader, 'partitioned');
      network.partition();
      await succeeded();
      network.heal();
      network.cut();
    };
    const blinks = async (): Promise<void> => {
      network.partition();
      const untilMs = leader.lastActMs + 300 + this.#random() * 1200;
      await this.terms.until((latest) => latest.lastActMs > untilMs || latest.identity !== leader.identity);
      network.heal();
      if (this.#random() < 0.5) network.cut();
    };
    const pauses = async (): Promise<void> => {
      this.terms.endedBy(leader, 'paused');
      contender.pause();
      const next = await succeeded();
      contender.resume();
      await this.terms.until(({ lastActMs }) => lastActMs > next.fromMs + 500);
    };
    const restartsOther = async (): Promise<void> => {
      await other.contender.kill();
      await this.#replace(other);
    };
    const cutsBoth = async (): Promise<void> => {
      network.cut();
      other.network.cut();
    };
    // The test does not disturb client-go in ways that let its Lease expire: client-go may then release the Lease of another holder, and
    // does not detect that its process was paused.
    const onlyOwn = kind === 'kubewright' ? [pauses] : [];
    const mayBeCutOff = kind === 'kubewright' || !contender.releases ? [partitions, partitions, blinks] : [];
    return [ends('stopped'), ends('stopped'), ends('killed'), restartsOther, cutsBoth, ...mayBeCutOff, ...onlyOwn];
  }

  async #replace(competitor: Competitor): Promise<void> {
    await end(competitor);
    await this.start(competitor.kind);
  }
  #competitorOf(term: Term): Competitor {
    const competitor = this.#competitors.get(kindOf(term.identity));
    assert.ok(competitor, `${term.identity} runs`);
    return competitor;
  }
  #otherThan({ kind }: Competitor): Competitor {
    const other = this.#competitors.get(kind === 'kubewright' ? 'client-go' : 'kubewright');
    assert.ok(other, 'both kinds run');
    return other;
  }
}

test(`a Kubewright process and a client-go process contend for one Lease for ${seconds} s, with restarts and partitions, and are never leaders at the same time`, {
  skip,
  timeout: (seconds + 120) * 1000,
}, async (t) => {
  await using env = await startEnvironment({ server: 'control-plane' });
  await using history = await LeaseHistory.follow(env.connection, lease);
  await using contest = new Contest(env, randomNumbers(seed));
  await contest.start('client-go');
  await contest.start('kubewright');
  const end = performance.now() + seconds * 1000;
  t.diagnostic(`seed ${seed}`);
  while (performance.now() < end) {
    await contest.round();
    assert.deepEqual(contest.terms.overlaps(), [], contest.output());
  }
  for (const line of contest.terms.handovers(kindOf)) t.diagnostic(line);
  const led = contest.terms.all.map(({ identity }) => identity);
  t.diagnostic(`${led.length} terms`);
  assert.deepEqual(new Set(led.map(kindOf)), new Set(['client-go', 'kubewright']), 'both kinds have led');
  await history.seen(led.at(-1) ?? '');
  const { holders } = history;
  assert.deepEqual(
    holders.map(({ transitions }) => transitions),
    holders.map((_, at) => at),
    'each change of the holder is counted once',
  );
  const held = holders.map(({ identity }) => identity);
  assert.deepEqual(
    held.filter((identity) => led.includes(identity)),
    led,
    'the leaders held the Lease in the same order',
  );
});

function kindOf(identity: string): Kind {
  return identity.startsWith('client-go') ? 'client-go' : 'kubewright';
}
async function end({ contender, network }: Competitor): Promise<void> {
  await contender[Symbol.asyncDispose]();
  await network.close();
}
