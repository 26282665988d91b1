import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiServer } from '../../server/api-server.js';
import { configMap, RawClient } from '../../server/raw-client.test.support.js';

const path = '/api/v1/namespaces/default/configmaps';

/** Returns the values of the series of a metric whose labels contain the text. */
function valuesOf(text: string, name: string, labels: string): readonly number[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}

describe('the metrics of a server', () => {
  test('contain the stored objects of each resource', async () => {
    await using server = await ApiServer.start();
    const client = new RawClient(server);
    const count = async (labels: string): Promise<readonly number[]> =>
      valuesOf((await client.get('/metrics')).text, 'apiserver_storage_objects', labels);
    const [before = 0] = await count('resource="configmaps"');
    await client.post(path, configMap('a'));
    assert.deepEqual(await count('resource="configmaps"'), [before + 1]);
    assert.deepEqual(await count('resource="deployments.apps"'), [0]);
  });

  test('count open watches until they end', async () => {
    await using server = await ApiServer.start();
    const client = new RawClient(server);
    const open = async (): Promise<readonly number[]> =>
      valuesOf((await client.get('/metrics')).text, 'apiserver_longrunning_requests', 'resource="configmaps"');
    await client.post(path, configMap('a'));
    await client.eventsUntil(`${path}?watch=1`, () => true);
    while ((await open())[0] !== 0);
    for await (const _ of client.watch(`${path}?watch=1`)) {
      assert.deepEqual(await open(), [1]);
      break;
    }
  });

  test('do not have labels from paths that do not exist', async () => {
    await using server = await ApiServer.start();
    const client = new RawClient(server);
    for (const made of ['/api/v1/madeups', `${path}/a/madeup`, '/apis/madeup.example.com/v1/as', '/livez/madeup'])
      await client.get(made);
    assert.ok(!(await client.get('/metrics')).text.includes('madeup'));
  });
});
