import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { messageOf } from './message-of.js';

test('messageOf returns a message for any thrown value', () => {
  assert.equal(messageOf(new Error('no route')), 'no route');
  assert.equal(messageOf('a text'), 'a text');
  assert.equal(messageOf(undefined), 'undefined');
  assert.equal(messageOf(runInNewContext("new Error('no route')")), 'no route');
  assert.equal(messageOf({ status: 500, body: 'x' }), '{ status: …, body: … }');
});

test('messageOf joins the messages of an AggregateError that has no message', () => {
  const both = [new Error('refused on ::1'), new Error('refused on 127.0.0.1')];
  assert.equal(messageOf(new AggregateError(both)), 'refused on ::1, refused on 127.0.0.1');
  assert.equal(messageOf(new AggregateError(both, 'nobody listens')), 'nobody listens');
});
