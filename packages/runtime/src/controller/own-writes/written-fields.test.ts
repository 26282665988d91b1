import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { machine } from '../../test-support/controller-bench.js';
import { writtenFields } from './written-fields.js';

const before = machine('a', { image: 'x' }, { resourceVersion: '1' });
const after = (spec: object, resourceVersion = '2'): KubeObject =>
  ({ ...before, spec, metadata: { ...before.metadata, resourceVersion } }) as KubeObject;
const paths = (fields: ReturnType<typeof writtenFields>) => fields.map(({ path, kept }) => [path.join('.'), kept]);

test('the fields of a write are those that it changed', () => {
  const object = after({ image: 'y', disk: 'd' });
  const fields = writtenFields({ verb: 'patch', object }, { body: { spec: { image: 'y', disk: 'd' } }, before });
  assert.deepEqual(paths(fields), [
    ['spec.image', true],
    ['spec.disk', true],
  ]);
  assert.equal(fields[0]?.name, 'Machine default/a');
});

test('what somebody else wrote meanwhile is not among them', () => {
  const object = after({ image: 'of somebody else', disk: 'd' });
  const fields = writtenFields({ verb: 'patch', object }, { body: { spec: { disk: 'd' } }, before });
  assert.deepEqual(paths(fields), [['spec.disk', true]]);
});

test('where nothing changed they are those that the server has otherwise', () => {
  const object = after({ image: 'x', disk: 'made-up' }, '1');
  const body = { metadata: { resourceVersion: '1' }, spec: { image: 'x', disk: null, gone: null } };
  assert.deepEqual(paths(writtenFields({ verb: 'patch', object }, { body, before })), [['spec.disk', false]]);
});

test('equal values have equal digests, and only those', () => {
  const digest = (image: string) =>
    writtenFields({ verb: 'patch', object: after({ image }) }, { body: { spec: { image } }, before })[0]?.value;
  assert.equal(digest('y'), digest('y'));
  assert.notEqual(digest('y'), digest('z'));
});

test('what follows from every change is left out, unless it is all', () => {
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

test('an object that is made is a field as a whole; of a deletion nothing is known', () => {
  assert.deepEqual(paths(writtenFields({ verb: 'create', object: before }, { body: { spec: {} } })), [['', true]]);
  assert.deepEqual(writtenFields({ verb: 'delete', object: before }, undefined), []);
});
