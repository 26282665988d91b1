import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergePatch } from '@kubewright/api/patch';
import { isExplainedBy } from './explained-change.js';

const metadata = (resourceVersion: string, more: object = {}) => ({ name: 'a', resourceVersion, ...more });

test('a request explains a change that contains only the requested fields and their defaults', () => {
  const old = { metadata: metadata('1'), spec: { size: 1 } };
  const now = { metadata: metadata('2', { generation: 2 }), spec: { size: 1, port: { number: 80, protocol: 'TCP' } } };
  assert.equal(isExplainedBy({ spec: { port: { number: 80 } } }, old, now), true);
  assert.equal(isExplainedBy({ spec: { size: 1 } }, old, now), false);
});

test('a request explains a changed list that contains exactly the requested items', () => {
  const old = { metadata: metadata('1'), spec: { ports: [{ name: 'a' }] } };
  const body = { spec: { ports: [{ name: 'a' }, { name: 'b' }] } };
  const withDefaults = { metadata: metadata('2'), spec: { ports: [{ name: 'a' }, { name: 'b', protocol: 'TCP' }] } };
  const withTheirs = { metadata: metadata('2'), spec: { ports: [{ name: 'a' }, { name: 'b' }, { name: 'theirs' }] } };
  assert.equal(isExplainedBy(body, old, withDefaults), true);
  assert.equal(isExplainedBy(body, old, withTheirs), false);
});

/** Generates small objects with few possible field names, so that two objects often have the same fields. */
const state = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(
    fc.integer({ min: 0, max: 2 }),
    fc.dictionary(fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 2 }), { noNullPrototype: true }),
  ),
  { maxKeys: 3, noNullPrototype: true },
);

test('property: a merge patch explains a change that consists of the patch', () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      const body = mergePatch({ spec: before }, { spec: after });
      const old = { metadata: metadata('1'), spec: before };
      assert.equal(isExplainedBy(body ?? {}, old, { metadata: metadata('2'), spec: after }), true);
    }),
  );
});

test('the request of a controller does not explain a change in which another client added a field', () => {
  fc.assert(
    fc.property(state, state, fc.constantFrom('spec', 'status'), (before, after, part) => {
      const body = mergePatch({ spec: before }, { spec: after }) ?? {};
      const old = { metadata: metadata('1'), spec: before, status: {} };
      const now = { metadata: metadata('2'), spec: after, status: {} };
      const theirs = { ...now, [part]: { ...now[part as 'spec'], theirs: 1 } };
      assert.equal(isExplainedBy(body, old, theirs), false);
    }),
  );
});
