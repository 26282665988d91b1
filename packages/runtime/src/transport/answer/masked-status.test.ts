import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '@kubewright/api/errors';
import type { StructuralSchema } from '@kubewright/api/schema';
import { shownBody } from './answer.js';
import { maskedStatus } from './masked-status.js';

const schema: StructuralSchema = {
  properties: { spec: { properties: { pin: { type: 'string', format: 'password' }, size: { type: 'integer' } } } },
};
const path = '/apis/example.com/v1/namespaces/a/doors/b';

function refusal(
  message: string,
  causes: readonly { readonly message: string; readonly field: string }[] = [],
): Status {
  const details = { name: 'b', group: 'example.com', kind: 'doors', causes };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'Invalid',
    code: 422,
    message,
    details,
  };
}

test('keeps the reason, fields and details of a Status, and masks the value of a password field', () => {
  const message =
    'Door.example.com "b" is invalid: [spec.pin: Invalid value: "ab1": must be longer, spec.size: Invalid value: 3: too small]';
  const causes = [
    { message: 'Invalid value: "ab1": must be longer', field: 'spec.pin' },
    { message: 'Invalid value: 3: too small', field: 'spec.size' },
    { message: 'Invalid value: {"pin":"ab1"}: code and size do not fit', field: 'spec' },
  ];
  const masked = maskedStatus(refusal(message, causes), { path, schema });
  assert.deepEqual(
    masked,
    refusal(
      'Door.example.com "b" is invalid: [spec.pin: Invalid value: "***": must be longer, spec.size: Invalid value: 3: too small]',
      [
        { message: 'Invalid value: "***": must be longer', field: 'spec.pin' },
        causes[1]!,
        { message: 'Invalid value: ***: code and size do not fit', field: 'spec' },
      ],
    ),
  );
});

test('masks secret values of a request in the Status, also for a merge patch and a JSON patch', () => {
  const secrets = '/api/v1/namespaces/a/secrets/b';
  const data = { dsn: Buffer.from('hunter2-and-more').toString('base64') };
  for (const body of [
    { apiVersion: 'v1', kind: 'Secret', data },
    { data },
    { stringData: { dsn: 'hunter2-and-more' } },
    [{ op: 'add', path: '/data/dsn', value: data.dsn }],
  ]) {
    const { message } = maskedStatus(refusal(`webhook says: hunter2-and-more, ${data.dsn}`), { path: secrets, body });
    assert.equal(message, 'webhook says: ***, ***');
  }
});

test('does not change a Status without secrets', () => {
  const status = refusal('doors.example.com "b" is forbidden: User "u" cannot create resource "doors"');
  assert.deepEqual(maskedStatus(status, { path, schema, body: { spec: { pin: 'hunter2', size: 1 } } }), status);
});

test('masks the text of a response before cutting it', () => {
  const text = Buffer.from(`cannot connect to postgres://app:hunter2-and-more@db:5432/app${' '.repeat(9)}`);
  for (let length = 1; length <= text.length; length++) {
    assert.doesNotMatch(shownBody(text, length), /hun/, `cut after ${length} bytes`);
  }
  assert.equal(shownBody(text, 60), 'cannot connect to postgres://app:***@db:5432/app… (10 more bytes)');
});
