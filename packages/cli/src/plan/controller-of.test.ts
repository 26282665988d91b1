import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind } from '@kubewright/api';
import type { OperatorDescription } from '@kubewright/runtime';
import { controllerOf } from './controller-of.js';

const foo = dynamicKind('example.com/v1', 'Foo');
const operatorOf = (...names: readonly string[]): OperatorDescription =>
  ({ controllers: names.map((name) => ({ name, for: { kind: foo } })) }) as unknown as OperatorDescription;
const refusal = (message: string) => ({ code: 'UNKNOWN_CONTROLLER', message });

test('controllerOf returns the only controller of a kind, or the controller with the given name', () => {
  assert.equal(controllerOf(operatorOf('foo'), { kind: 'foo' }).controller, 'foo');
  assert.equal(controllerOf(operatorOf('a', 'b'), { kind: 'Foo', controller: 'b' }).controller, 'b');
});

test('controllerOf rejects an ambiguous or unknown controller, and lists the existing controllers', () => {
  const one = operatorOf('foo');
  assert.throws(
    () => controllerOf(operatorOf('a', 'b'), { kind: 'foo' }),
    refusal("several controllers reconcile 'foo'; select one with --controller: a for Foo, b for Foo"),
  );
  assert.throws(
    () => controllerOf(one, { kind: 'bar' }),
    refusal("no controller reconciles 'bar'; specify a kind that a controller reconciles: foo for Foo"),
  );
  assert.throws(
    () => controllerOf(one, { kind: 'foo', controller: 'fo' }),
    refusal("no controller 'fo' reconciles 'foo'; select one of these with --controller: foo for Foo"),
  );
});
