import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOf, sameRecord, specOf } from './lease-record.js';

const spec = {
  holderIdentity: 'host_1',
  leaseDurationSeconds: 15,
  leaseTransitions: 3,
  acquireTime: '2030-01-01T00:00:00.123456Z',
  renewTime: '2030-01-01T00:00:04.000001Z',
  strategy: 'OldestEmulationVersion',
  preferredHolder: 'host_2',
};

test('[CG-165] converts the spec of a Lease to a record and back without changes, including microseconds', () => {
  assert.deepEqual(specOf(recordOf(spec)), spec);
  const { strategy: _strategy, preferredHolder: _preferredHolder, ...plain } = spec;
  assert.deepEqual(specOf(recordOf(plain)), plain);
});

test('[CG-165] a Lease without a holder, and a Lease without a spec, have no holder', () => {
  const nobody = { holderIdentity: '', leaseDurationSeconds: 0, leaderTransitions: 0 };
  assert.deepEqual(recordOf({}), nobody);
  assert.deepEqual(recordOf(undefined), nobody);
  assert.deepEqual(specOf(nobody), { holderIdentity: '', leaseDurationSeconds: 0, leaseTransitions: 0 });
});

test('two records are different if any field differs', () => {
  const record = recordOf(spec);
  assert.equal(sameRecord(record, recordOf({ ...spec })), true);
  for (const [name, value] of Object.entries(spec)) {
    const other = typeof value === 'number' ? value + 1 : `${value}1`;
    assert.equal(sameRecord(record, recordOf({ ...spec, [name]: other })), false, name);
  }
});
