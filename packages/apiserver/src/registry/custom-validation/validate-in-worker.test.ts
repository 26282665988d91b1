import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, type Steps } from '@kubewright/api/apply';
import { definitionErrors, definitionUpdateErrors } from '@kubewright/api/crd';
import { RuleValidator, type RuleVerdict } from '@kubewright/api/cel';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import { validateInWorker } from './validate-in-worker.js';

const ruled = (rule: string): StructuralSchema => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer' }, list: { type: 'array', items: { type: 'integer' } } },
      'x-kubernetes-validations': [{ rule, messageExpression: "'size ' + string(self.size)" }],
    },
  },
});
const object = (spec: object): ApiObject =>
  ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec }) as unknown as ApiObject;

async function waited(steps: Steps<RuleVerdict>): Promise<RuleVerdict> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await value?.();
  }
}

test('returns the same errors and warnings as a validation in the calling thread', async () => {
  const schema = ruled('self.size <= oldSelf.size');
  const before = object({ size: 9007199254740993n });
  for (const size of [9007199254740992n, 9007199254740994n]) {
    const after = object({ size });
    const expected = RuleValidator.compile(schema)?.validate(after, before);
    const { errors, warnings } = await waited(validateInWorker({ part: 'rules', schema, object: after, old: before }));
    assert.deepEqual({ errors, warnings }, { errors: expected?.errors, warnings: expected?.warnings });
  }
});

test('returns a verdict without errors if the caller does not wait for the worker thread', () => {
  assert.deepEqual(finish(validateInWorker({ part: 'rules', schema: ruled('false'), object: object({}) })), {
    errors: [],
    warnings: [],
  });
});

test('rejects with status 500 if the rules need too much memory, and does not end the process', async () => {
  const list = Array.from({ length: 20_000 }, (_, at) => at);
  const rule = 'self.list.map(x, self.list + self.list).size() > 0';
  await assert.rejects(
    waited(validateInWorker({ part: 'rules', schema: ruled(rule), object: object({ list, size: 1 }) })),
    {
      message: /the validation needs more than 48 MB of memory/,
    },
  );
});

test('rejects with status 504 if the rules take too long', async () => {
  const list = Array.from({ length: 60_000 }, (_, at) => at);
  const schema = ruled("self.list.all(x, '%s'.format([self.list]) != '')");
  await assert.rejects(waited(validateInWorker({ part: 'rules', schema, object: object({ list }), mostMs: 500 })), {
    message: 'Timeout: request did not complete within the requested timeout - context deadline exceeded',
  });
});

test('returns the schema errors of an object, including an error that prevents the evaluation of rules', async () => {
  const items = { type: 'string', pattern: '^a$' };
  const spec = { type: 'object', properties: { list: { type: 'array', items }, size: { type: 'integer' } } };
  const schema: StructuralSchema = { type: 'object', properties: { spec } };
  const list = Array.from({ length: 2000 }, () => 'b');
  const { errors } = await waited(validateInWorker({ part: 'shape', schema, object: object({ list, size: 'x' }) }));
  assert.deepEqual([errors.length, errors[0]?.field, errors.at(-1)?.field], [1002, 'spec.list[0]', 'spec.size']);
  const same = object({ list: ['b'] });
  assert.deepEqual((await waited(validateInWorker({ part: 'shape', schema, object: same, old: same }))).errors, []);
});

test('returns the errors of a new and of a changed CustomResourceDefinition', async () => {
  const size = { type: 'integer', minimum: 1, default: 0 };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { size } } } };
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const definition = (scope: string): ApiObject =>
    ({
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope,
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
      status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
    }) as unknown as ApiObject;
  const [old, next] = [definition('Namespaced'), definition('Cluster')];
  const created = await waited(validateInWorker({ part: 'definition', object: old }));
  assert.deepEqual(created.errors, definitionErrors(old));
  assert.match(created.errors[0]?.message ?? '', /should be greater than or equal to 1/);
  const updated = await waited(validateInWorker({ part: 'definition', object: next, old }));
  assert.deepEqual(updated.errors, definitionUpdateErrors(next, old));
  assert.ok(updated.errors.some(({ field }) => field === 'spec.scope'));
});
