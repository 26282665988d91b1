import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { defineKind, type KindRef, type KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { generateCrds } from '@kubewright/api/crd';
import { ApiError } from '@kubewright/api/errors';
import { crdFor, kindOf } from '@kubewright/api/metadata';
import type { Client } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { CronJob, DeprecatedCronJob, UnservedCronJob } from './go/cron-job.js';
import { Oneof } from './go/one-of.js';
import { Enum, ImmutableType } from './go/small-kinds.js';
import { Edges } from './edge-kind.js';

let environment: TestEnvironment;
let client: Client;
let count = 0;
before(async () => {
  environment = await startEnvironment({
    kinds: [Oneof, Enum, ImmutableType, Edges, CronJob, UnservedCronJob, DeprecatedCronJob],
  });
  client = environment.client;
});
after(() => environment[Symbol.asyncDispose]());

type Json = Readonly<Record<string, unknown>>;

function objectOf(kind: KindRef, spec: Json): KubeObject {
  const { apiVersion, kind: name } = kindOf(kind);
  count += 1;
  return { apiVersion, kind: name, metadata: { name: `object-${count}`, namespace: 'default' }, spec } as never;
}

/** Creates an object, and returns the errors of the server; '' if the server accepts the object. */
async function verdict(kind: KindRef, spec: Json): Promise<string> {
  return refusal(() => client.create(objectOf(kind, spec)));
}

async function refusal(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return '';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    const causes = error.body.details?.causes ?? [];
    return causes.map(({ field, message }) => `${field}: ${message}`).join('\n');
  }
}

/** Adds one test per object. `says` is a substring of the expected errors; '' if the server accepts the object. */
function judged(kind: KindRef, cases: readonly (readonly [name: string, spec: Json, says: string])[]): void {
  for (const [name, spec, says] of cases) {
    it(`the server ${says === '' ? 'accepts' : 'rejects'} ${name}`, async () => {
      const errors = await verdict(kind, spec);
      assert.equal(errors.includes(says) && (says !== '' || errors === ''), true, errors);
    });
  }
}

describe('rules for one of several fields', () => {
  const two = { foo: 'foo', bar: 'bar' };
  judged(Oneof, [
    [
      'an object that satisfies all rules',
      {
        firstTypeWithOneof: { foo: 'foo' },
        secondTypeWithOneof: { a: 'a' },
        firstTypeWithExactOneof: { foo: 'foo' },
        secondTypeWithExactOneof: { a: 'a', c: 'c' },
        typeWithMultipleAtLeastOneOf: { a: 'a', b: 'b', d: 'd' },
        typeWithAllOneOf: { d: 'd', e: 'e', f: 'f' },
        firstCustomTypeAlias: 100,
      },
      '',
    ],
    ['an object without any of the fields', {}, ''],
    [
      'two fields if at most one may be set',
      { firstTypeWithOneof: two },
      'spec.firstTypeWithOneof: Invalid value: at most one of the fields in [foo bar] may be set',
    ],
    [
      'two fields if exactly one must be set',
      { secondTypeWithExactOneof: { a: 'a', c: 'c', d: 'd' } },
      'spec.secondTypeWithExactOneof: Invalid value: exactly one of the fields in [c d] must be set',
    ],
    [
      'no field if exactly one must be set',
      { secondTypeWithExactOneof: { a: 'a' } },
      'spec.secondTypeWithExactOneof: Invalid value: exactly one of the fields in [c d] must be set',
    ],
    [
      'no field if at least one must be set',
      { typeWithAllOneOf: { c: 'c' } },
      'spec.typeWithAllOneOf: Invalid value: at least one of the fields in [e f] must be set',
    ],
    ['one field if at most one may be set', { typeWithOmitZero: { foo: 'foo' } }, ''],
    [
      'two fields of a type without other rules if at most one may be set',
      { typeWithOmitZero: two },
      'at most one of the fields in [foo bar] may be set',
    ],
    [
      'an empty object if exactly one field must be set',
      { typeWithOmitZeroExact: {} },
      'exactly one of the fields in [a b] must be set',
    ],
    [
      'an empty object if at least one field must be set',
      { typeWithOmitZeroAtLeastOneOf: {} },
      'at least one of the fields in [c d] must be set',
    ],
    ['a value that violates a rule of the type', { secondCustomTypeAlias: 99 }, 'invalid CustomTypeAlias value'],
  ]);
});

describe('enum fields', () => {
  judged(Enum, [
    ['the first value', { field: 'Value1' }, ''],
    ['the second value', { field: 'Value2' }, ''],
    ['a value that is not in the enum', { field: 'Invalid' }, 'spec.field: Unsupported value: "Invalid"'],
    ['an object without the field', {}, ''],
  ]);
});

describe('immutable fields', () => {
  const spec = {
    requiredString: 'original',
    requiredStruct: { key: 'k', value: 'v' },
    requiredSlice: ['a', 'b'],
    requiredMap: { k1: 'v1' },
    mutableString: 'can-change',
  };
  const made = async (more: Json = {}): Promise<(change: Json) => Promise<string>> => {
    const object = await client.create(objectOf(ImmutableType, { ...spec, ...more }));
    return (change) =>
      refusal(async () => {
        const live = await client.live.get(ImmutableType, object.metadata);
        const next = { ...live.spec, ...change };
        const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
        await client.update({ ...live, spec: kept } as never);
      });
  };
  it('the server accepts changes of fields that are not immutable', async () => {
    assert.equal(await (await made())({ mutableString: 'updated' }), '');
  });
  for (const [field, changed] of Object.entries({
    requiredString: 'changed',
    requiredStruct: { key: 'k', value: 'changed' },
    requiredSlice: ['a', 'c'],
    requiredMap: { k1: 'changed' },
  })) {
    it(`the server rejects a change and the removal of ${field}`, async () => {
      const change = await made();
      assert.match(await change({ [field]: changed }), /field is immutable/);
      assert.match(await change({ [field]: undefined }), /Required value/);
    });
  }
  for (const [field, first, second] of [
    ['optionalString', 'first', 'second'],
    ['optionalLiteralString', 'first', 'second'],
    ['optionalStruct', { key: 'k', value: 'v' }, { key: 'k', value: 'changed' }],
    ['optionalOmitZeroStruct', { key: 'k', value: 'v' }, { key: 'k', value: 'changed' }],
    ['optionalSlice', ['x', 'y'], ['x', 'z']],
    ['optionalMap', { a: '1' }, { a: '2' }],
  ] as const) {
    it(`the server accepts the first value of ${field} in an update, then rejects a change and the removal`, async () => {
      const change = await made();
      assert.equal(await change({ [field]: first }), '');
      assert.match(await change({ [field]: second }), /field is immutable/);
      assert.match(await change({ [field]: undefined }), new RegExp(`field ${field} is immutable once set`));
    });
  }
});

describe('features that the definitions of controller-tools do not cover', () => {
  const spec = { name: 'abcz' };
  judged(Edges, [
    ['null for a nullable enum', { ...spec, zone: null }, ''],
    ['a value of a nullable enum', { ...spec, zone: 'a' }, ''],
    ['a value that is not in a nullable enum', { ...spec, zone: 'c' }, 'spec.zone: Unsupported value: "c"'],
    ['a number from an enum of numbers and strings', { ...spec, mixed: 1 }, ''],
    ['a string from an enum of numbers and strings', { ...spec, mixed: 'many' }, ''],
    [
      'a number that is not in an enum of numbers and strings',
      { ...spec, mixed: 2 },
      'spec.mixed: Unsupported value: 2',
    ],
    ['a value that violates the decorator of the type', { name: 'xyz' }, 'spec.name: Invalid value: "xyz"'],
    [
      'a value that is valid for the type but violates the decorator of the field',
      { name: 'abc' },
      'spec.name: Invalid value: "abc"',
    ],
    ['an item that violates its rule', { ...spec, ports: [80, 0] }, 'spec.ports[1]: Invalid value: 0: is above 0'],
    ['a template with the creation timestamp null', { ...spec, template: template(null) }, ''],
    ['a template with a creation timestamp', { ...spec, template: template('2026-01-01T00:00:00Z') }, ''],
    ['a field whose name must be escaped in CEL', { ...spec, target: { in: 'x' } }, ''],
    [
      'a target without any field',
      { ...spec, target: {} },
      'spec.target: Invalid value: at least one of the fields in [a-b in] must be set',
    ],
  ]);
  it('the server keeps unknown fields if preserveUnknownFields is set, and keeps the labels of templates', async () => {
    const open = { known: 'a', other: 1 };
    const object = await client.create(objectOf(Edges, { ...spec, open, template: template(null) }));
    const kept = (object as unknown as { readonly spec: Json }).spec;
    assert.deepEqual([kept['open'], kept['template']], [open, template(null)]);
  });
  function template(creationTimestamp: string | null): Json {
    return { metadata: { creationTimestamp, labels: { app: 'a' } }, spec: { containers: [{ name: 'a' }] } };
  }
});

describe('the definition of CronJob', () => {
  it('the server serves the definition of CronJob with the generated versions and the custom annotations', async () => {
    const [made] = generateCrds([CronJob, UnservedCronJob, DeprecatedCronJob]).definitions;
    assert.ok(made);
    const live = await client.live.get(CustomResourceDefinition, { name: made.metadata.name });
    assert.deepEqual(live.spec.versions, made.spec.versions);
    assert.equal(
      live.metadata.annotations?.['cert-manager.io/inject-ca-from-secret'],
      'cert-manager/cert-manager-webhook-ca',
    );
  });
});

describe('invalid definitions', () => {
  const rule = (text: string) => ({ 'x-kubernetes-validations': [{ rule: text }] });
  const text = { type: 'string' };
  const bad: Readonly<Record<string, Json>> = {
    'a default that does not match its schema': { a: { type: 'integer', default: 'b' } },
    'a nested default that does not match its schema': {
      a: { type: 'object', default: { b: 1 }, properties: { b: text } },
    },
    'a schema without a type': { a: { properties: { b: text } } },
    'a list without items': { a: { type: 'array' } },
    'a list with uniqueItems': { a: { type: 'array', items: text, uniqueItems: true } },
    'a key that the items of a list of type map do not contain': {
      a: {
        type: 'array',
        items: { type: 'object', properties: { b: text } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['c'],
      },
    },
    'a pattern that Go does not support': { a: { ...text, pattern: '(?=b)' } },
    'a rule that does not compile': { a: { ...text, ...rule('self.nothing') } },
    'a rule that does not return a boolean': { a: { ...text, ...rule('self + self') } },
    'a rule that exceeds the cost limit': {
      a: { type: 'array', items: text, ...rule('self.all(x, self.all(y, x == y))') },
    },
    'a transition rule for items without keys': {
      a: { type: 'array', maxItems: 3, items: { ...text, maxLength: 3, ...rule('self == oldSelf') } },
    },
  };
  for (const [what, properties] of Object.entries(bad)) {
    it(`generateCrds and the server reject ${what}`, async () => {
      count += 1;
      const kind = defineKind({
        group: 'refused.example.com',
        version: 'v1',
        kind: `Refused${count}`,
        spec: { type: 'object', properties },
      });
      assert.throws(() => generateCrds([kind]), { code: 'INVALID_KIND' });
      assert.notEqual(await refusal(() => client.create(crdFor(kind))), '');
    });
  }
});
