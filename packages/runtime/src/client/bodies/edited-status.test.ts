import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Condition, type KubeObject, setCondition } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';
import { patchOfStatus } from './edited-status.js';

const now = new Date('2026-02-03T04:05:06.789Z');
const condition = { properties: { lastTransitionTime: {}, observedGeneration: {} } };
const schema: StructuralSchema = {
  properties: {
    status: { properties: { phase: {}, observedGeneration: {}, conditions: { type: 'array', items: condition } } },
  },
};
const plain: StructuralSchema = { properties: { status: { properties: { phase: {} } } } };
const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Up',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 3,
};

function withStatus(status?: object): KubeObject & { status?: object } {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '7', creationTimestamp: '', generation: 3 };
  return { apiVersion: 'v1', kind: 'A', metadata, ...(status && { status }) };
}

function setReady(reason: string, status: string): (status: never) => void {
  return (draft: { conditions: unknown[] }) => {
    draft.conditions = [{ type: 'Ready', status, reason, message: '' }];
  };
}

test('an edit that is an object replaces only the status fields that the edit contains', () => {
  const object = withStatus({ phase: 'Old', other: { a: 1 } });
  assert.deepEqual(patchOfStatus({ object, edit: { phase: 'New' }, schema: plain, now }), { status: { phase: 'New' } });
});

test('returns undefined for an edit that does not change the status', () => {
  const object = withStatus({ phase: 'Same', observedGeneration: 3, conditions: [ready] });
  assert.equal(patchOfStatus({ object, edit: { phase: 'Same' }, schema, now }), undefined);
});

test('sets observedGeneration if the schema has this field, even if no other field changes', () => {
  const object = withStatus({ phase: 'Same', observedGeneration: 2 });
  assert.deepEqual(patchOfStatus({ object, edit: { phase: 'Same' }, schema, now }), {
    status: { observedGeneration: 3 },
  });
  assert.deepEqual(patchOfStatus({ object: withStatus(), edit: { phase: 'A' }, schema: plain, now }), {
    status: { phase: 'A' },
  });
});

test('sets the transition time of a condition if its status changes, and keeps the time if only the reason changes', () => {
  const object = withStatus({ observedGeneration: 3, conditions: [ready] });
  const conditionAfter = (reason: string, status: string): unknown => {
    const patch = patchOfStatus({ object, edit: setReady(reason, status), schema, now });
    return (patch as { status: { conditions: unknown[] } }).status.conditions[0];
  };
  assert.deepEqual(conditionAfter('Down', 'False'), {
    ...ready,
    reason: 'Down',
    status: 'False',
    lastTransitionTime: '2026-02-03T04:05:06Z',
  });
  assert.deepEqual(conditionAfter('Better', 'True'), { ...ready, reason: 'Better' });
});

test('adds the resourceVersion if the patch contains a list', () => {
  const edit = { conditions: [{ type: 'Ready', status: 'True', reason: 'Up', message: '' }] };
  const patch = patchOfStatus({ object: withStatus({ observedGeneration: 3 }), edit, schema, now });
  assert.deepEqual(patch?.metadata, { resourceVersion: '7' });
});

test('does not change a condition if the edit only omits lastTransitionTime and observedGeneration', () => {
  const { lastTransitionTime: _time, observedGeneration: _generation, ...unchanged } = ready;
  const object = withStatus({ observedGeneration: 3, conditions: [ready] });
  assert.equal(patchOfStatus({ object, edit: { conditions: [unchanged] }, schema, now }), undefined);
});

test('a condition that the edit does not contain keeps its observedGeneration', () => {
  const ready2 = { ...ready, observedGeneration: 2 };
  const backedUp = { ...ready, type: 'BackedUp', observedGeneration: 2 };
  const object = withStatus({ observedGeneration: 3, conditions: [ready2, backedUp] });
  const conditionsAfter = (edit: (status: { conditions?: Condition[] }) => void): unknown =>
    (patchOfStatus({ object, edit, schema, now }) as { status?: { conditions?: unknown } } | undefined)?.status
      ?.conditions;
  assert.equal(
    conditionsAfter(() => undefined),
    undefined,
  );
  const down = { type: 'Ready', status: false, reason: 'Down' } as const;
  assert.deepEqual(
    conditionsAfter((status) => setCondition(status, down)),
    [{ ...ready, status: 'False', reason: 'Down', lastTransitionTime: '2026-02-03T04:05:06Z' }, backedUp],
  );
});

test('a condition that the edit sets without changes gets the current generation', () => {
  const object = withStatus({ observedGeneration: 3, conditions: [{ ...ready, observedGeneration: 2 }] });
  const edit = (status: { conditions?: Condition[] }): void =>
    setCondition(status, { type: 'Ready', status: true, reason: 'Up' });
  assert.deepEqual(patchOfStatus({ object, edit, schema, now })?.status, { conditions: [ready] });
  const written = withStatus({ observedGeneration: 3, conditions: [ready] });
  assert.equal(patchOfStatus({ object: written, edit, schema, now }), undefined);
});

test('a condition of an object without a generation keeps its observedGeneration', () => {
  const { metadata, ...rest } = withStatus({ conditions: [ready] });
  const { generation: _, ...without } = metadata;
  const edit = (status: { conditions?: Condition[] }): void =>
    setCondition(status, { type: 'Ready', status: true, reason: 'Up' });
  assert.equal(patchOfStatus({ object: { ...rest, metadata: without }, edit, schema, now }), undefined);
});

test('copies a status of JSON values without structuredClone, and leaves the object unchanged', (t) => {
  const clone = t.mock.method(globalThis, 'structuredClone');
  const object = withStatus({ phase: 'Old', conditions: [ready], usage: { disks: [1, null, { free: true }] } });
  const before = JSON.stringify(object);
  const edit = (status: { phase: string; usage: { disks: unknown[] } }): void => {
    status.phase = 'New';
    status.usage.disks.length = 1;
  };
  const patch = patchOfStatus({ object, edit, schema: plain, now });
  assert.deepEqual(patch?.status, { phase: 'New', usage: { disks: [1] } });
  assert.equal(JSON.stringify(object), before);
  assert.equal(clone.mock.callCount(), 0);
});
