import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import fc from 'fast-check';
import { bytesWithVersion, smallBytes, storedBytes } from './object-memory.js';
import { Store } from './store.js';

const object = (metadata: object, data: unknown) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });

test('bytesWithVersion returns the estimate of the object with the new resourceVersion', () => {
  const metadata = fc.record(
    { name: fc.string(), resourceVersion: fc.option(fc.nat().map(String), { nil: undefined }) },
    { requiredKeys: ['name'] },
  );
  fc.assert(
    fc.property(metadata, fc.jsonValue(), fc.nat().map(String), (before, data, resourceVersion) => {
      const after = object({ ...before, resourceVersion }, data);
      assert.equal(bytesWithVersion(storedBytes(object(before, data)), before, resourceVersion), storedBytes(after));
    }),
  );
});

test('the store charges a prepared object with the estimate of the stored object', () => {
  for (const size of [10, smallBytes / 4, smallBytes]) {
    const created = (storageQuotaBytes: number): ReturnType<Store['create']> => {
      const store = new Store({ storageQuotaBytes });
      const prepared = object({ name: 'a', uid: 'a' }, { text: 'x'.repeat(size) });
      finish(store.prepareSteps(prepared));
      return store.create('/configmaps', prepared);
    };
    const bytes = storedBytes(created(2 ** 30));
    assert.ok(Object.isFrozen(created(bytes)['data']));
    assert.throws(() => created(bytes - 1), /database space exceeded/);
  }
});

test('an object whose JSON or number of values exceeds the limits is not small', () => {
  const digits = 10n ** 999n;
  for (const data of [
    'x'.repeat(256 * 1024),
    Array.from({ length: 65_536 }, () => 0),
    Array.from({ length: 1600 }, () => digits),
  ]) {
    const large = object({ name: 'a' }, data);
    assert.ok(storedBytes(large) > smallBytes);
    const isRefused = typeof data !== 'string';
    const prepare = (): void => finish(new Store().prepareSteps(large));
    if (isRefused) assert.throws(prepare);
    else prepare();
  }
});
