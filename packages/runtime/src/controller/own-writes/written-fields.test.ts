import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { machine } from '../../test-support/controller-bench.js';
import { writtenFields } from './written-fields.js';

const before = machine('a', { image: 'x' }, { resourceVersion: '1' });
const after = (spec: object, resourceVersion = '2'): KubeObject =>
  ({ ...before, spec, metadata: { ...before.metadata, resourceVersion } }) as KubeObject;
const paths = (fields: ReturnType<typeof writtenFields>) => fields.map(({ path, kept }) => [path.join('.'), kept]);

test('returns the fields that the write changed', () => {
  const object = after({ image: 'y', disk: 'd' });
  const fields = writtenFields({ verb: 'patch', object }, { body: { spec: { image: 'y', disk: 'd' } }, before });
  assert.deepEqual(paths(fields), [
    ['spec.image', true],
    ['spec.disk', true],
  ]);
  assert.equal(fields[0]?.name, 'Machine default/a');
});

test('omits fields that another client changed at the same time', () => {
  const object = after({ image: 'of-another-writer', disk: 'd' });
  const fields = writtenFields({ verb: 'patch', object }, { body: { spec: { disk: 'd' } }, before });
  assert.deepEqual(paths(fields), [['spec.disk', true]]);
});

test('if the write changed nothing, returns the fields that the server did not store', () => {
  const object = after({ image: 'x', disk: 'made-up' }, '1');
  const body = { metadata: { resourceVersion: '1' }, spec: { image: 'x', disk: null, gone: null } };
  assert.deepEqual(paths(writtenFields({ verb: 'patch', object }, { body, before })), [['spec.disk', false]]);
});

test('finds a requested field after more changes of other fields than a description contains', () => {
  const other = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`label${at}`, 'x']));
  const object = { ...after({ image: 'y', ...other }), status: { phase: 'B' } } as KubeObject;
  const fields = writtenFields({ verb: 'patch', object }, { body: { status: { phase: 'B' } }, before });
  assert.deepEqual(paths(fields), [['status', true]]);
});

test('returns the digest of a long value, and the value before the write', () => {
  const image = 'x'.repeat(1000);
  const [field] = writtenFields({ verb: 'patch', object: after({ image }) }, { body: { spec: { image } }, before });
  assert.ok((field?.value.length ?? 0) < 64);
  assert.equal(field?.before?.(), '"x"');
});

test('equal values have equal digests, and different values have different digests', () => {
  const digest = (image: string) =>
    writtenFields({ verb: 'patch', object: after({ image }) }, { body: { spec: { image } }, before })[0]?.value;
  assert.equal(digest('y'), digest('y'));
  assert.notEqual(digest('y'), digest('z'));
});

test('omits observedGeneration and conditions if other fields changed', () => {
  const status = (observedGeneration: number, phase: string) => ({ observedGeneration, phase });
  const old = { ...before, status: status(1, 'A') } as KubeObject;
  const fields = (now: object) =>
    writtenFields(
      { verb: 'patch', object: { ...after({ image: 'x' }), status: now } as KubeObject },
      { body: { status: now }, before: old },
    );
  assert.deepEqual(paths(fields(status(2, 'B'))), [['status.phase', true]]);
  assert.deepEqual(paths(fields(status(2, 'A'))), [['status.observedGeneration', true]]);
});

test('returns a created object as a single field, and nothing for a deletion', () => {
  assert.deepEqual(paths(writtenFields({ verb: 'create', object: before }, { body: { spec: {} } })), [['', true]]);
  assert.deepEqual(writtenFields({ verb: 'delete', object: before }, undefined), []);
});
