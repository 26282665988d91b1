import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentScope } from '../client/scope/reconcile-scope.js';
import { type MachineObject, machine, type Options, type Reconcile, setUp } from '../test-support/controller-bench.js';
import { Result } from './reconciler/result.js';

const key = { namespace: 'default', name: 'a' };

/** Runs a controller whose first run calls `during`. Returns the generation of the object in each run, and the observed generation. */
async function duringFirstRun(during: (bench: Bench) => void, options: Options = {}) {
  let end: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  const seen: (number | undefined)[] = [];
  const reconcile: Reconcile = async (object) => {
    seen.push(object.metadata.generation);
    if (seen.length > 1) return Result.done();
    await gate;
    during(bench);
    return Result.done();
  };
  const bench = await setUp(reconcile, options);
  const observed: (number | undefined)[] = [];
  bench.machines.addHandler({
    onChange: ({ object }) => {
      const { observedGeneration } = (object as MachineObject).status ?? {};
      if (observedGeneration !== observed.at(-1)) observed.push(observedGeneration);
    },
  });
  bench.machines.put(machine('a', {}, { generation: 1 }));
  await bench.settle();
  end();
  await bench.settle();
  return { ...bench, seen, observed };
}
type Bench = Awaited<ReturnType<typeof setUp>>;

test('sets observedGeneration to the generation that the run has read, even if the spec changes during the run', async () => {
  const { seen, observed } = await duringFirstRun(({ machines }) => {
    machines.put(machine('a', { image: 'x' }, { generation: 2 }));
  });
  assert.deepEqual(
    [seen, observed],
    [
      [1, 2],
      [1, 2],
    ],
  );
});

test('sets observedGeneration to the generation that the run itself has created by changing the spec', async () => {
  const { seen, observed } = await duringFirstRun(({ machines }) => {
    const before = machines.get(key);
    const object = machines.put(machine('a', { image: 'x' }, { generation: 2 }));
    currentScope()?.onWrite?.({ verb: 'patch', object }, { body: { spec: { image: 'x' } }, before });
  });
  assert.deepEqual([seen, observed], [[1], [2]]);
});

test('does not set observedGeneration to a generation that includes a change of another client', async () => {
  const { seen, observed } = await duringFirstRun(({ machines }) => {
    const before = machines.get(key);
    machines.put(machine('a', { image: 'x' }, { generation: 2 }));
    const object = machines.put(machine('a', { image: 'x', disk: 'd' }, { generation: 3 }));
    currentScope()?.onWrite?.({ verb: 'patch', object }, { body: { spec: { disk: 'd' } }, before });
  });
  assert.deepEqual(
    [seen, observed],
    [
      [1, 3],
      [1, 3],
    ],
  );
});

test('does not report the success of a run on an object that was recreated under the same name', async () => {
  const { seen, observed } = await duringFirstRun(({ machines }) => {
    machines.remove(key);
    machines.put(machine('a', { image: 'x' }, { generation: 7, uid: 'other' }));
  });
  assert.deepEqual([seen, observed], [[1, 7], [7]]);
});
