import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { isAlreadyExists } from '@kubewright/api/errors';
import type { FaultPlan, RequestFault, WatchFault } from '@kubewright/apiserver';
import * as cloudManager from '@kubewright/example-cloud-manager';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { FakeClock, randomNumbers, TestEnvironment } from '@kubewright/testing';
import { recordTrace } from './trace.js';

const RUNS = 20;

const examples = {
  'virtual-machine': { ...virtualMachine, prepared: [] },
  foo: { ...foo, prepared: [] },
  'cloud-manager': cloudManager,
};

const REQUEST_FAULTS: readonly RequestFault[] = [
  { kind: 'status', code: 500 },
  { kind: 'status', code: 409 },
  { kind: 'status', code: 504, after: 'write' },
  { kind: 'cut', after: 'none' },
  { kind: 'cut', after: 'write' },
];
const WATCH_FAULTS: readonly WatchFault[] = [
  { kind: 'cut', midEvent: true },
  { kind: 'cut', midEvent: false },
  { kind: 'repeat' },
];

/** Returns faults of a third of the requests and of the watch events. The seed and the order of the requests select the faults. */
function faultsOf(seed: number): FaultPlan & { active: boolean; count: number } {
  const random = randomNumbers(seed);
  const drawn = <T>(faults: readonly T[]): T | undefined => {
    if (!plan.active || random() >= 1 / 3) return undefined;
    plan.count += 1;
    return faults[Math.floor(random() * faults.length)];
  };
  const plan = {
    active: false,
    count: 0,
    onRequest: () => drawn(REQUEST_FAULTS),
    onWatchEvent: () => drawn(WATCH_FAULTS),
  };
  return plan;
}

/** A clock that advances without waiting for environments, because an environment with a broken watch settles only later. */
class FreeClock extends FakeClock {
  override onAdvance(): () => void {
    return () => undefined;
  }
}

/** The number of turns of the event loop without a request, an event or a response after which nothing more happens at this time. */
const QUIET_TURNS = 10;

/** Advances the clock in steps. Before each step, waits until nothing more happens. */
async function advance(clock: FreeClock, trace: readonly string[], seconds: number): Promise<void> {
  for (let step = 0; step <= seconds; step += 1) {
    for (let quiet = 0, seen = trace.length; quiet < QUIET_TURNS; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (trace.length !== seen) quiet = 0;
      seen = trace.length;
    }
    await clock.advance('1s');
  }
}

interface Run {
  readonly trace: string;
  readonly faults: number;
  readonly isConverged: boolean;
}

/** Creates an object, and repeats requests that fail because of a fault. */
async function created(env: TestEnvironment, object: KubeObject): Promise<void> {
  for (;;) {
    try {
      await env.client.create(object);
      return;
    } catch (error) {
      if (isAlreadyExists(error)) return;
    }
  }
}

async function runExample(name: keyof typeof examples, seed: number): Promise<Run> {
  const { kinds, controllers, samples, prepared, isConverged } = examples[name];
  const clock = new FreeClock(undefined, { seed });
  const faults = faultsOf(seed);
  const env = await TestEnvironment.start({
    kinds,
    objects: prepared,
    workloads: true,
    transport: 'in-process',
    clock,
    faults,
  });
  const trace = recordTrace(env.server);
  await env.run(...controllers);
  faults.active = true;
  await Promise.all([samples.map((sample) => created(env, sample)), advance(clock, trace, 60)].flat());
  faults.active = false;
  await advance(clock, trace, 120);
  const text = trace.join('\n');
  const live = await Promise.all(samples.map((sample) => env.read(sample as KubeObject)));
  await env[Symbol.asyncDispose]();
  return {
    trace: text,
    faults: faults.count,
    isConverged: live.every((object) => isConverged(object as never)),
  };
}

for (const name of Object.keys(examples) as (keyof typeof examples)[]) {
  test(`${RUNS} runs of ${name} with the same seed and faults exchange the same bytes in the same order`, async () => {
    const first = await runExample(name, 1);
    assert.ok(first.isConverged);
    assert.ok(first.faults >= 10, `${first.faults} faults`);
    for (let run = 1; run < RUNS; run += 1) {
      const { trace } = await runExample(name, 1);
      if (trace !== first.trace) assert.deepEqual(trace.split('\n'), first.trace.split('\n'), `run ${run}`);
    }
  });

  test(`a run of ${name} with another seed exchanges other bytes`, async () => {
    const [one, two] = [await runExample(name, 2), await runExample(name, 3)];
    assert.ok(one.isConverged && two.isConverged);
    assert.notEqual(one.trace, two.trace);
  });
}
