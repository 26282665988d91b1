import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutProtobuf } from './without-protobuf.js';

test('withoutProtobuf removes the protobuf types of Kubernetes, with and without parameters', () => {
  const protobuf = 'application/vnd.kubernetes.protobuf';
  assert.equal(withoutProtobuf(`${protobuf};stream=watch, application/json`), 'application/json');
  assert.equal(
    withoutProtobuf(`${protobuf}, application/json;as=Table;q=0.9,application/json`),
    'application/json;as=Table;q=0.9, application/json',
  );
});

test('withoutProtobuf does not change a header without another type', () => {
  for (const accept of ['application/vnd.kubernetes.protobuf;stream=watch', 'application/json', '*/*'])
    assert.equal(withoutProtobuf(accept), accept);
});
