import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Condition, type KubeObject, setCondition } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';
import { patchOfStatus } from '../../client/bodies/edited-status.js';
import { hasReportedStatus, type ReportedStatus } from './reported-status.js';

const condition = { type: 'Reconciled', status: true, reason: 'Reconciled', message: '' };
const stored = { ...condition, status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z', observedGeneration: 2 };
const reported: ReportedStatus = { condition, observed: true, observesGeneration: true };

function objectWith(status: object | undefined, generation: number | undefined = 2): KubeObject {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation };
  return { apiVersion: 'test.dev/v1', kind: 'Machine', metadata, status } as KubeObject;
}
/** Whether `patchStatus` would send a request. */
function isPatched(object: KubeObject, { condition, observed, observesGeneration }: ReportedStatus): boolean {
  const ofCondition = ['type', 'status', 'reason', 'message', 'lastTransitionTime', 'observedGeneration'];
  const properties = Object.fromEntries(ofCondition.map((name) => [name, {}]));
  const status = {
    properties: {
      conditions: { items: { properties } },
      ...(observesGeneration === true && { observedGeneration: {} }),
    },
  };
  const schema = { properties: { status } } as unknown as StructuralSchema;
  const edit = (draft: { conditions?: Condition[] }): void => {
    if (condition !== undefined) setCondition(draft, condition);
  };
  return patchOfStatus({ object, edit, schema, now: new Date(), observed }) !== undefined;
}

test('a status with the condition and the observed generation counts as reported', () => {
  assert.ok(hasReportedStatus(objectWith({ observedGeneration: 2, conditions: [stored] }), reported));
  assert.ok(hasReportedStatus(objectWith({ observedGeneration: 2 }), { ...reported, condition: undefined }));
});

test('a status without the observed generation counts as reported only if the schema has no observed generation', () => {
  const object = objectWith({ conditions: [stored] });
  assert.equal(hasReportedStatus(object, { ...reported, observesGeneration: false }), true);
  assert.equal(hasReportedStatus(object, { ...reported, observesGeneration: true }), false);
  assert.equal(hasReportedStatus(object, { ...reported, observesGeneration: undefined }), false);
});

test('a status of an older generation counts as reported only if the run did not observe the generation', () => {
  const object = objectWith({ observedGeneration: 1, conditions: [stored] });
  assert.equal(hasReportedStatus(object, reported), false);
  assert.equal(hasReportedStatus(object, { ...reported, observed: false }), true);
});

test('a status counts as reported only if patchStatus would send no request', () => {
  let reportedCases = 0;
  for (const observedGeneration of [undefined, 1, 2])
    for (const generation of [undefined, 1, 2])
      for (const observesGeneration of [true, false])
        for (const observed of [true, false])
          for (const type of ['Reconciled', undefined])
            for (const changed of [
              {},
              { status: 'False' },
              { reason: 'Other' },
              { message: 'x' },
              { lastTransitionTime: '' },
              { observedGeneration: 1 },
              { observedGeneration: undefined },
              { type: 'Ready' },
            ]) {
              const status = {
                observedGeneration,
                conditions: [
                  { ...stored, type: 'Other' },
                  { ...stored, ...changed },
                ],
              };
              const object = objectWith(JSON.parse(JSON.stringify(status)) as object, generation);
              const asked = { condition: type === undefined ? undefined : condition, observed, observesGeneration };
              if (!hasReportedStatus(object, asked)) continue;
              reportedCases++;
              assert.equal(isPatched(object, asked), false, JSON.stringify({ object, asked }));
            }
  assert.ok(reportedCases > 50, String(reportedCases));
});

test('a status without a condition of the type does not count as reported, and neither does a missing status', () => {
  for (const status of [undefined, {}, { observedGeneration: 2 }, { observedGeneration: 2, conditions: [] }]) {
    assert.equal(hasReportedStatus(objectWith(status), reported), false);
  }
});
