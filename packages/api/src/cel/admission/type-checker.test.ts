import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PolicyTypeChecker } from './type-checker.js';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer' }, names: { type: 'array', items: { type: 'string' } } },
    },
  },
} as const;
const object = { name: 'Widget', schema };

test('PolicyTypeChecker reports undefined fields and wrong types of the object and of the old object', () => {
  const checker = new PolicyTypeChecker({ object });
  for (const source of [
    'object.spec.size > 3',
    'oldObject.spec.names.all(name, name.size() > 1)',
    'object.metadata.name == ""',
  ]) {
    assert.equal(checker.errors(source), undefined, source);
  }
  assert.equal(
    checker.errors('object.spec.sizes > 3'),
    "ERROR: <input>:1:12: undefined field 'sizes'\n | object.spec.sizes > 3\n | ...........^",
  );
  assert.match(checker.errors('oldObject.spec.size == "a"') ?? '', /'_==_' applied to '\(int, string\)'/);
  assert.match(checker.errors('object.spec == 1') ?? '', /'\(Widget\.spec, int\)'/);
  assert.match(checker.errors('object.spec.') ?? '', /Syntax error/);
});

test('PolicyTypeChecker lets expressions read params only if the policy has a kind of parameters', () => {
  assert.match(new PolicyTypeChecker({ object }).errors('params.a == 1') ?? '', /undeclared reference to 'params'/);
  const typed = new PolicyTypeChecker({ object, params: { name: 'Params', schema } });
  assert.equal(typed.errors('params.spec.size == object.spec.size'), undefined);
  assert.match(typed.errors('params.spec.a == 1') ?? '', /undefined field 'a'/);
  const untyped = new PolicyTypeChecker({ object, params: { name: 'Params', schema: undefined } });
  assert.equal(untyped.errors('params.spec.a == 1'), undefined);
});

test('a variable has the type of its expression, or any type if the expression has an error', () => {
  const checker = new PolicyTypeChecker({ object });
  checker.declare('size', 'object.spec.size');
  checker.declare('broken', 'object.spec.sizes');
  assert.equal(checker.errors('variables.size + 1 > 2 && variables.broken.a == 1'), undefined);
  assert.match(checker.errors('variables.size == "a"') ?? '', /'\(int, string\)'/);
  assert.match(checker.errors('variables.other == 1') ?? '', /undefined field 'other'/);
});
