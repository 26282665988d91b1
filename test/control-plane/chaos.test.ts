import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Transport } from '@kubewright/runtime/internal';
import { FaultProxy, faultSchedule, TestEnvironment } from '@kubewright/testing';
import { Mortality } from '../chaos/mortality.js';
import { type InProcessOptions, inProcess, type Operator } from '../chaos/operator.js';
import { wholeNumbers } from '../chaos/whole-numbers.js';
import type { Scenario } from '../chaos/scenario.js';
import { scenarioNamed } from '../chaos/scenarios.js';
import { ClusterUsers } from './cluster-users.js';

const SCHEDULES = 50;
/** Real time after which a schedule counts as stuck. */
const LIMIT_MS = 120_000;
const POLL_MS = 100;

/** Those that ask nothing of a node or of storage: each schedule has a namespace of its own, and no more. */
const scenarios = ['virtual-machine', 'foo'].map(scenarioNamed);

let env: TestEnvironment;
let transport: Transport;

before(async () => {
  const kinds = scenarios.flatMap((scenario) => scenario.kinds);
  env = await TestEnvironment.start({ server: 'control-plane', workloads: true, kinds });
  transport = new Transport(env.connection);
});
after(async () => {
  await transport.close();
  await env[Symbol.asyncDispose]();
});

for (const scenario of scenarios) {
  describe(`${scenario.name} under faults, on a real control plane`, { concurrency: 6 }, () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      test(`seed ${seed}: converges, with no orphan, no lost and no doubled write`, () => runSchedule(scenario, seed));
    }
  });
}

/** Users create, edit and delete, and somebody deletes children, while requests fail and the operator lives and dies. */
async function runSchedule(scenario: Scenario, seed: number): Promise<void> {
  const random = wholeNumbers(seed);
  const namespace = `${scenario.name}-${seed}`;
  await transport.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  const faults = faultSchedule(seed, { rate: 0.02 + random(8) / 100 });
  const first = 1 + random(12);
  const deaths = [first, first + 1 + random(12)].map((atWrite) => ({ atWrite, done: random(2) === 0 }));
  const mortality = new Mortality(faults, deaths.slice(0, 1 + random(2)), () => undefined);
  await using proxy = await FaultProxy.open({
    upstream: env.connection,
    certificate: await env.controlPlane.files.servingCertificate(),
    faults: mortality,
  });
  await using operator = new MortalOperator(scenario, { connection: proxy.connection, namespaces: [namespace] });
  const users = new ClusterUsers(transport, scenario, namespace);
  const [one, two] = scenario.samples;
  assert.ok(one && two);
  const deeds = [
    () => users.create(one),
    () => users.create(two),
    () => users.edit(one),
    () => users.delete(two),
    () => users.deleteChildren(one),
    () => users.edit(one),
  ];
  for (const [at, deed] of deeds.entries()) {
    await deed();
    // Half of the time the next deed comes before the operator has seen to the last one.
    if (at < deeds.length - 1 && random(2) === 0) continue;
    const unmet = await converge(users, { operator, mortality, proxy });
    assert.deepEqual(unmet, [], `seed ${seed}, after\n${faults.injected.join('\n')}`);
  }
}

interface Living {
  readonly operator: MortalOperator;
  readonly mortality: Mortality;
  readonly proxy: FaultProxy;
}

async function converge(users: ClusterUsers, { operator, mortality, proxy }: Living): Promise<readonly string[]> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    if (mortality.dead) {
      await operator.kill();
      proxy.cutConnections();
      mortality.revive();
    }
    operator.live();
    const unmet = await users.unmet();
    if (unmet.length === 0 || performance.now() > end) return unmet;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The operator of a scenario, as often as it has to be started. */
class MortalOperator implements AsyncDisposable {
  readonly #scenario: Scenario;
  readonly #where: InProcessOptions;
  #life: Operator | undefined;

  constructor(scenario: Scenario, where: InProcessOptions) {
    this.#scenario = scenario;
    this.#where = where;
  }

  /** Starts it unless it lives. It may die while it starts; that shows later. */
  live(): void {
    if (this.#life?.hasEnded() === false) return;
    this.#life = inProcess(this.#scenario, this.#where);
  }

  async kill(): Promise<void> {
    await this.#life?.kill();
    this.#life = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
