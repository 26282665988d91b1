import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { describeBlocked } from './blocked-objects.js';

const foo = (name: string, finalizers = ['example.com/foo']): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name, namespace: 'default', finalizers, uid: '', resourceVersion: '', creationTimestamp: '' },
});
const foos = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => foo(name));

test('describeBlocked contains each object with all of its finalizers', () => {
  const disks = foo('b', ['example.com/disks', 'example.com/networks']);
  assert.equal(describeBlocked([foo('a')]), 'Foo default/a (example.com/foo)');
  assert.equal(
    describeBlocked([foo('a'), disks]),
    'Foo default/a (example.com/foo), Foo default/b (example.com/disks, example.com/networks)',
  );
});

test('describeBlocked contains five objects, and the number of other objects', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `Foo default/${name} (example.com/foo)`).join(', ');
  assert.equal(describeBlocked(foos.slice(0, 5)), five);
  assert.equal(describeBlocked(foos), `${five}, and 2 more`);
});
