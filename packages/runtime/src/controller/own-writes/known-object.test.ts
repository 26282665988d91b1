import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { machine } from '../../test-support/controller-bench.js';
import { asKnown, knownAfter } from './known-object.js';

const at = (generation: number | undefined, spec: object = {}, uid = 'u'): KubeObject =>
  machine('a', spec, { uid, ...(generation !== undefined && { generation }) });

test('after a write that did not change the generation, the run knows the response', () => {
  const written = at(1);
  assert.equal(knownAfter(at(1), { verb: 'patch', object: written }, { body: { status: {} } }), written);
});

test('after a write of the spec, the run knows the response only if the write explains the change', () => {
  const before = at(1, { image: 'x' });
  const write = { verb: 'patch', object: at(2, { image: 'y' }) } as const;
  assert.equal(knownAfter(before, write, { body: { spec: { image: 'y' } } }), write.object);
  assert.equal(knownAfter(before, write, { body: { spec: { disk: 'd' } } }), before);
});

test('after a write of an object that was recreated, compares the objects even if the generation is the same', () => {
  const before = at(1, { image: 'x' });
  const write = { verb: 'patch', object: at(1, { image: 'y' }, 'other') } as const;
  assert.equal(knownAfter(before, write, { body: { status: {} } }), before);
});

test('a run does not report a later generation than the generation that it knows', () => {
  assert.equal(asKnown(at(3), at(2))?.metadata.generation, 2);
  assert.equal(asKnown(at(1, {}, 'other'), at(1)), undefined);
});
