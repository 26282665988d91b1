import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import type { FaultPlan, PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { FakeClock } from '../fake-clock.js';
import { faultSchedule } from '../fault-schedule.js';
import { TestEnvironment } from '../test-environment.js';

const SEEDS = 50;

class MachineSpec {
  @Field.string() image!: string;
}
class MachineStatus {
  @Field.string({ optional: true }) image?: string;
}
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(MachineSpec, MachineStatus) {}

@Controller({ for: Machine, owns: [ConfigMap] })
class MachineController implements Reconciler<Machine> {
  constructor(private readonly client: Client) {}

  async reconcile(machine: Machine): Promise<Result> {
    const { name, namespace } = machine.metadata;
    const { image } = machine.spec;
    await this.client.applyOwned(machine, [new ConfigMap({ metadata: { name, namespace }, data: { image } })]);
    await this.client.patchStatus(machine, { image });
    return Result.done();
  }
}

const machine = new Machine({ metadata: { name: 'a', namespace: 'default' }, spec: { image: 'v1' } });

/** Injects the faults of a plan into requests and watches of machines and ConfigMaps while `isOn` is true. */
class SwitchedFaults implements FaultPlan {
  isOn = false;
  /** The injected faults. */
  readonly injected = new Set<string>();
  readonly #plan: FaultPlan;

  constructor(plan: FaultPlan) {
    this.#plan = plan;
  }
  onRequest(request: PlannedRequest): RequestFault | undefined {
    return this.#noted('request', this.#concerns(request) ? this.#plan.onRequest?.(request) : undefined);
  }
  onWatchEvent(event: PlannedWatchEvent): WatchFault | undefined {
    return this.#noted('watch', this.#concerns(event) ? this.#plan.onWatchEvent?.(event) : undefined);
  }

  #concerns({ resource }: { readonly resource: string }): boolean {
    return this.isOn && (resource === 'machines' || resource === 'configmaps');
  }
  #noted<F extends RequestFault | WatchFault>(of: 'request' | 'watch', fault: F | undefined): F | undefined {
    if (fault !== undefined) this.injected.add(`${of} ${fault.kind === 'status' ? fault.code : fault.kind}`);
    return fault;
  }
}

/**
 * Runs a controller while it starts, creates a child and changes the child, all with the faults of the plan. Checks that the clock advances
 * and that the child has the new image after the faults. Returns the injected faults.
 */
async function convergesWith(plan: FaultPlan): Promise<readonly string[]> {
  const clock = new FakeClock();
  const faults = new SwitchedFaults(plan);
  await using env = await TestEnvironment.start({ kinds: [Machine], clock, faults, rbac: 'admin' });
  faults.isOn = true;
  await clock.during(env.run(MachineController));
  faults.isOn = false;
  const created = await env.client.create(machine);
  faults.isOn = true;
  await clock.advance('10s');
  faults.isOn = false;
  await env.client.patch(created, (draft) => {
    draft.spec.image = 'v2';
  });
  faults.isOn = true;
  await clock.advance('10s');
  faults.isOn = false;
  await clock.advance('3m');
  const child = await env.client.get(ConfigMap, machine.metadata);
  assert.equal(child.data?.['image'], 'v2');
  assert.equal((await env.read(created)).status?.image, 'v2');
  return [...faults.injected];
}

const every =
  <T>(n: number, fault: T) =>
  ({ ordinal }: { readonly ordinal: number }): T | undefined =>
    ordinal % n === 0 ? fault : undefined;
const delayedRequests = every(2, { kind: 'delay', ms: 700 } as const);
const throttledRequests = every(3, { kind: 'status', code: 429, retryAfterSeconds: 1 } as const);
const expiredWatches = every(2, { kind: 'expire' } as const);
const delayedWatches = every(1, { kind: 'delay', ms: 900 } as const);

const cases: readonly (readonly [name: string, plan: FaultPlan, injected: readonly string[]])[] = [
  ['delayed requests', { onRequest: delayedRequests }, ['request delay']],
  ['requests with status 429 and Retry-After', { onRequest: throttledRequests }, ['request 429']],
  ['expired watches', { onWatchEvent: expiredWatches }, ['watch expire']],
  ['delayed watches', { onWatchEvent: delayedWatches }, ['watch delay']],
  [
    'all of these faults',
    {
      onRequest: (request) => throttledRequests(request) ?? delayedRequests(request),
      onWatchEvent: (event) => expiredWatches(event) ?? delayedWatches(event),
    },
    ['request 429', 'request delay', 'watch delay', 'watch expire'],
  ],
];

for (const [name, plan, injected] of cases) {
  test(`advance moves a FakeClock, and a controller converges with ${name}`, async () => {
    assert.deepEqual((await convergesWith(plan)).toSorted(), injected);
  });
}

describe('advance moves a FakeClock under fault schedules', () => {
  const injected = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    test(`a controller converges with the faults of seed ${seed}`, async () => {
      for (const fault of await convergesWith(faultSchedule(seed, { rate: 0.3, maxDelayMs: 2000 })))
        injected.add(fault);
    });
  }
  test('the schedules inject each fault that waits for the clock', () => {
    for (const fault of ['request 429', 'request delay', 'watch delay', 'watch expire']) assert.ok(injected.has(fault));
  });
});
