import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { deepFreeze } from '@kubewright/api';
import { patchOfEdits } from './edited-object.js';

interface Machine extends KubeObject {
  readonly spec: { readonly size?: number; readonly big?: bigint; readonly disks: readonly string[] };
  readonly status?: { readonly phase: string };
}
const machine: Machine = deepFreeze({
  apiVersion: 'v1',
  kind: 'Machine',
  metadata: { name: 'a', uid: 'u', resourceVersion: '7', creationTimestamp: '', annotations: { keep: 'yes' } },
  spec: { size: 1, big: 9007199254740993n, disks: ['x'] },
  status: { phase: 'On' },
});

test('creates no patch if the edits change nothing or only add empty maps and lists to the metadata', () => {
  assert.equal(
    patchOfEdits(machine, () => undefined, true),
    undefined,
  );
  assert.equal(
    patchOfEdits(
      machine,
      (draft) => assert.deepEqual([draft.metadata.labels, draft.metadata.finalizers], [{}, []]),
      false,
    ),
    undefined,
  );
});

test('returns a patch with only the edited fields', () => {
  const patch = patchOfEdits(
    machine,
    (draft) => {
      draft.metadata.labels.tier = 'web';
      draft.spec.size = 2;
    },
    false,
  );
  assert.deepEqual(patch, { metadata: { labels: { tier: 'web' } }, spec: { size: 2 } });
});

test('the patch removes a field that the edit deletes or sets to undefined', () => {
  const remove = patchOfEdits(machine, (draft) => void (draft.spec.size = undefined), false);
  assert.deepEqual(remove, { spec: { size: null } });
  const annotation = patchOfEdits(machine, (draft) => void delete draft.metadata.annotations.keep, false);
  assert.deepEqual(annotation?.metadata, { annotations: { keep: null } });
});

test('ignores edits of the status', () => {
  assert.equal(
    patchOfEdits(machine, (draft) => void (draft.status = { phase: 'Off' }), false),
    undefined,
  );
});

test('adds the resourceVersion if the patch contains a list or if optimistic is set', () => {
  const list = patchOfEdits(machine, (draft) => void draft.spec.disks.push('y'), false);
  assert.deepEqual(list, { spec: { disks: ['x', 'y'] }, metadata: { resourceVersion: '7' } });
  const size = patchOfEdits(machine, (draft) => void (draft.spec.size = 3), true);
  assert.deepEqual(size, { spec: { size: 3 }, metadata: { resourceVersion: '7' } });
});

test('omits an unedited integer beyond 2^53 and keeps all digits of an edited integer', () => {
  assert.deepEqual(
    patchOfEdits(machine, (draft) => void (draft.spec.big = 9007199254740995n), false),
    {
      spec: { big: 9007199254740995n },
    },
  );
});
