import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInV2, customKindV2, customV2 } from './open-api-v2-schemas.js';
import { ProtoMessage } from './proto-message.js';

test('encodes the fields of a message in the wire format of Protocol Buffers', () => {
  const inner = new ProtoMessage().text(1, 'ab').flag(3, true);
  const message = new ProtoMessage().message(2, inner).whole(20, 300).double(6, 0.5).texts(1, ['x', '']);
  const written = '12 06 0a 02 61 62 18 01 a0 01 ac 02 31 00 00 00 00 00 00 e0 3f 0a 01 78 0a 00';
  assert.equal(message.encoded().toString('hex'), written.replaceAll(' ', ''));
});

test('does not encode unset and zero values', () => {
  const message = new ProtoMessage().text(1, undefined).text(1, '').flag(2, false).whole(3, 0).message(4, undefined);
  assert.equal(message.encoded().length, 0);
});

test('converts allOf references to plain references and int-or-string to a string', () => {
  const meta = { allOf: [{ $ref: '#/components/schemas/M' }], default: {}, 'x-kubernetes-patch-strategy': 'replace' };
  assert.deepEqual(
    structuredClone(builtInV2({ type: 'object', properties: { meta, default: { type: 'string', default: '' } } })),
    {
      type: 'object',
      properties: {
        meta: { $ref: '#/definitions/M', 'x-kubernetes-patch-strategy': 'replace' },
        default: { type: 'string' },
      },
    },
  );
  assert.deepEqual(
    structuredClone(builtInV2({ format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] })),
    {
      format: 'int-or-string',
      type: 'string',
    },
  );
});

test('omits the type of fields that are nullable or preserve unknown fields', () => {
  const properties = {
    a: { type: 'string', nullable: true },
    b: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { c: { type: 'string' } } },
    d: { type: 'integer', anyOf: [{ minimum: 1 }] },
  };
  assert.deepEqual(structuredClone(customV2({ type: 'object', required: ['a', 'd'], properties })), {
    type: 'object',
    required: ['d'],
    properties: { a: {}, b: { 'x-kubernetes-preserve-unknown-fields': true }, d: { type: 'integer' } },
  });
});

test('omits the properties of a custom kind that preserves unknown fields', () => {
  const kinds = { 'x-kubernetes-group-version-kind': [{ kind: 'A' }] };
  const properties = { spec: { type: 'object' } };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties, ...kinds };
  assert.deepEqual(structuredClone(customKindV2(open)), { type: 'object', ...kinds });
  assert.deepEqual(structuredClone(customKindV2({ type: 'object', properties, ...kinds })), {
    type: 'object',
    properties,
    ...kinds,
  });
});
