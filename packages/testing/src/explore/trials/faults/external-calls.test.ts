import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Manager, token } from '@kubewright/runtime';
import { CrashSwitch } from './crash-switch.js';
import { ExternalCalls } from './external-calls.js';
import type { Fault } from './fault.js';

interface Counter {
  add(by: number): Promise<number>;
  readonly total: number;
  now(): number;
}
const Counter = token<Counter>('Counter');

/** A counter with private state. Its methods call each other. */
class MemoryCounter implements Counter {
  #total = 0;
  get total(): number {
    return this.#total;
  }
  now(): number {
    return this.#total;
  }
  async add(by: number): Promise<number> {
    this.#total = this.now() + by;
    return this.#total;
  }
}

/** Returns a counter as an operator receives it, and the calls with the given faults. */
function provided(faults: readonly Fault[], value: Counter = new MemoryCounter()) {
  const crash = new CrashSwitch();
  const calls = new ExternalCalls(faults, crash);
  const received: Counter[] = [];
  const manager = {
    provide: (_token: unknown, provider: { readonly value: Counter }) => received.push(provider.value),
  } as unknown as Manager;
  const provide = (): Counter => {
    calls.providing(manager).provide(Counter, { value });
    return received.at(-1) as Counter;
  };
  return { counter: provide(), provide, calls, crash, value };
}

test('ExternalCalls names the calls of a service, and not the calls within the service', async () => {
  const { counter, calls } = provided([]);
  assert.equal(await counter.add(2), 2);
  assert.equal(counter.now(), 2);
  await counter.add(1);
  assert.equal(counter.total, 3);
  assert.deepEqual(calls.all, ['Counter.add #1', 'Counter.now #1', 'Counter.add #2']);
});

test('ExternalCalls intercepts the methods of a frozen object', async () => {
  const frozen = Object.freeze({ add: async (by: number) => by, now: () => 5, total: 7 });
  const { counter, calls } = provided([{ kind: 'call', call: 'Counter.now #1', failure: 'refused' }], frozen);
  assert.throws(() => counter.now(), /Counter.now #1 failed/);
  assert.equal(counter.now(), 5);
  assert.equal(counter.total, 7);
  assert.equal(calls.all.length, 2);
});

test('the system does not execute a refused call, and executes a lost call', async () => {
  const refused = provided([{ kind: 'call', call: 'Counter.add #1', failure: 'refused' }]);
  await assert.rejects(refused.counter.add(1), /Counter.add #1 failed/);
  assert.equal(refused.value.total, 0);
  assert.equal(await refused.counter.add(1), 1);

  const lost = provided([{ kind: 'call', call: 'Counter.add #1', failure: 'lost' }]);
  await assert.rejects(lost.counter.add(1), /Counter.add #1 failed/);
  assert.equal(lost.value.total, 1);
});

test('after a crash at a call, only a new instance of the operator can call the service', async () => {
  const { counter, provide, crash, value } = provided([{ kind: 'crash', at: 'after', call: 'Counter.add #1' }]);
  await assert.rejects(counter.add(1), /the process of the operator has ended/);
  assert.ok(crash.isCrashed);
  assert.throws(() => counter.now(), /the process of the operator has ended/);
  crash.restart();
  assert.throws(() => counter.now(), /the process of the operator has ended/);
  assert.equal(await provide().add(1), 2);
  assert.equal(value.total, 2);
});
