import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AsyncVariable } from './async-variable.js';

test('get returns the value of the innermost run, also after an await and in a timer', async () => {
  const variable = new AsyncVariable<string>();
  assert.equal(variable.get(), undefined);
  const seen = variable.run('outer', async () => {
    await Promise.resolve();
    const inner = variable.run('inner', async () => {
      await new Promise((resolve) => setTimeout(resolve));
      return variable.get();
    });
    return [variable.get(), await inner, variable.get()];
  });
  assert.equal(variable.get(), undefined);
  assert.deepEqual(await seen, ['outer', 'inner', 'outer']);
});

test('run does not change the values of other variables, including variables that are created later', () => {
  const first = new AsyncVariable<number>();
  first.run(1, () => {
    const second = new AsyncVariable<number>();
    assert.equal(second.get(), undefined);
    second.run(2, () => assert.deepEqual([first.get(), second.get()], [1, 2]));
    assert.deepEqual([first.get(), second.get()], [1, undefined]);
  });
});

test('run with undefined hides the value of an outer run', () => {
  const variable = new AsyncVariable<string | undefined>();
  variable.run('outer', () => {
    assert.equal(
      variable.run(undefined, () => variable.get()),
      undefined,
    );
    assert.equal(variable.get(), 'outer');
  });
});

test('run passes an error of the function to the caller, and then restores the outer value', () => {
  const variable = new AsyncVariable<string>();
  const failing = (): never => {
    throw new Error('simulated failure');
  };
  variable.run('outer', () => {
    assert.throws(() => variable.run('inner', failing), /^Error: simulated failure$/);
    assert.equal(variable.get(), 'outer');
  });
});
