import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrors } from '@kubewright/api/schema';
import { invalid } from './status-errors.js';

const subject = { group: '', kind: 'Pod', plural: 'pods' };

test('an Invalid status lists the first 1,000 errors and one cause for the other errors', () => {
  const errors = Array.from({ length: 1200 }, (_, at) => fieldErrors.required(`spec.list[${at}]`));
  const { body } = invalid(subject, 'a', errors);
  const causes = body.details?.causes ?? [];
  assert.equal(causes.length, 1001);
  assert.deepEqual(causes[999], { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.list[999]' });
  const more = 'Too many: correct the listed errors to see the others';
  assert.deepEqual(causes[1000], { reason: 'FieldValueTooMany', message: more, field: '<nil>' });
  assert.ok(body.message?.startsWith('Pod "a" is invalid: [spec.list[0]: Required value, '), body.message);
  assert.ok(body.message?.endsWith(`, spec.list[999]: Required value, <nil>: ${more}]`), body.message?.slice(-200));
});

test('an Invalid status contains each distinct error once in the message and each error as a cause', () => {
  const { body } = invalid(subject, 'a', [fieldErrors.required('spec'), fieldErrors.required('spec')]);
  assert.equal(body.message, 'Pod "a" is invalid: spec: Required value');
  assert.equal(body.details?.causes?.length, 2);
});
