import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiServer } from './api-server.js';
import { RawClient } from './raw-client.test.support.js';

test('a deletion fails with 400 if the kind or apiVersion of its options is not a string', async () => {
  await using server = await ApiServer.start();
  const client = new RawClient(server);
  for (const [body, found] of [
    ['{"kind":-9223372036854776000}', 'number into Go struct field .kind'],
    ['{"apiVersion":9007199254740993}', 'number into Go struct field .apiVersion'],
    ['{"kind":["DeleteOptions"]}', 'array into Go struct field .kind'],
  ] as const) {
    const answer = await client.send('DELETE', '/api/v1/namespaces/default/configmaps/a', {
      body,
      headers: { 'content-length': String(body.length) },
    });
    assert.equal(answer.status, 400, body);
    assert.ok(String(answer.body['message']).includes(`cannot unmarshal ${found} of type string`), body);
  }
});
