import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazySignal } from './lazy-signal.js';

test('the signal is created when it is first read', () => {
  let reads = 0;
  const { signal } = new AbortController();
  const lazy = new LazySignal(() => {
    reads++;
    return signal;
  });
  assert.equal(reads, 0);
  assert.equal(lazy.signal, signal);
  assert.equal(reads, 1);
});

test('a copy by spread contains the signal', () => {
  const { signal } = new AbortController();
  assert.deepEqual({ ...new LazySignal(() => signal) }, { signal });
});

test('the signal of a frozen object can be read but not replaced', () => {
  const { signal } = new AbortController();
  const frozen = Object.freeze(new LazySignal(() => signal));
  assert.equal(frozen.signal, signal);
  assert.throws(() => Object.assign(frozen, { signal: undefined }), TypeError);
});
