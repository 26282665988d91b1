import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdmissionCompiler, type ExpressionUse } from './admission-compiler.js';
import { AdmissionEvaluation, POLICY_BUDGET } from './admission-evaluation.js';
import { applyConfigurationOf, jsonPatchOf } from './patches.js';

const object = { metadata: { name: 'a' }, spec: { replicas: 2, list: [{ x: 1 }] } };

function patched(source: string, use: ExpressionUse): unknown {
  const compiler = new AdmissionCompiler();
  const evaluation = new AdmissionEvaluation(compiler, { object, request: {} }, POLICY_BUDGET);
  const result = evaluation.evaluate(compiler.compile(source, use));
  if ('error' in result) return result.error;
  return use === 'jsonPatch' ? jsonPatchOf(result.value) : applyConfigurationOf(result.value);
}

test('applyConfigurationOf converts constructed objects to an apply configuration', () => {
  assert.deepEqual(
    patched(
      "Object{metadata: Object.metadata{labels: {'a': 'b'}}, spec: Object.spec{replicas: object.spec.replicas + 1, list: [Object.spec.list{y: 1.5}] + [], ?none: object.?none, ?some: object.spec.?list}}",
      'applyConfiguration',
    ),
    {
      configuration: {
        metadata: { labels: { a: 'b' } },
        spec: { replicas: 3, list: [{ y: 1.5 }], some: [{ x: 1 }] },
      },
    },
  );
});

test('applyConfigurationOf reports an object whose type does not match its position', () => {
  assert.deepEqual(patched('Object{spec: Object.spec{a: Object.spec.b{}}}', 'applyConfiguration'), {
    error:
      'type mismatch: unexpected type name "Object.spec.b", expected "Object.spec.a", which matches field name path from root Object type',
  });
});

test('an expression reads the fields of constructed objects', () => {
  assert.deepEqual(
    patched('Object{a: Object{b: 1}.b, ?c: has(Object{}.d) ? optional.of(1) : optional.none()}', 'applyConfiguration'),
    {
      configuration: { a: 1 },
    },
  );
});

test('jsonPatchOf returns the operations of a JSON patch', () => {
  assert.deepEqual(
    patched(
      "[JSONPatch{op: 'test', path: '/a', value: null}, JSONPatch{op: 'move', path: '/b', from: '/a'}, JSONPatch{op: 'add', path: '/' + jsonpatch.escapeKey('a/~'), value: Object.x{y: [1, 2], z: {'k': 9007199254740993}}}]",
      'jsonPatch',
    ),
    {
      operations: [
        { op: 'test', path: '/a', value: null },
        { op: 'move', path: '/b', from: '/a' },
        { op: 'add', path: '/a~1~0', value: { y: [1, 2], z: { k: '9007199254740993' } } },
      ],
    },
  );
});

test('jsonPatchOf reports a value without a JSON form', () => {
  assert.deepEqual(patched("[JSONPatch{op: 'add', path: '/a', value: type(1)}]", 'jsonPatch'), {
    error:
      'JSONPath valueExpression evaluated to a type that could not marshal to JSON: unsupported type conversion to JSON: type',
  });
});
