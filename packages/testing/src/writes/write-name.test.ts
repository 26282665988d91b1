import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import type { PlannedRequest } from '@kubewright/apiserver';
import { TestEnvironment } from '../test-environment.js';
import { parseWriteName, type WriteName, WriteNames, writeNameText } from './write-name.js';

const names: Readonly<Record<string, WriteName>> = {
  'patch Database/default/db status.phase #2': {
    verb: 'patch',
    kind: 'Database',
    namespace: 'default',
    name: 'db',
    fields: ['status.phase'],
    occurrence: 2,
  },
  'create Namespace/a #1': { verb: 'create', kind: 'Namespace', name: 'a', fields: [], occurrence: 1 },
  'create Pod/default/web-* #3': {
    verb: 'create',
    kind: 'Pod',
    namespace: 'default',
    name: 'web-*',
    fields: [],
    occurrence: 3,
  },
  'create Pod:eviction/default/a #1': {
    verb: 'create',
    kind: 'Pod',
    subresource: 'eviction',
    namespace: 'default',
    name: 'a',
    fields: [],
    occurrence: 1,
  },
  'deletecollection ConfigMap/default/* #1': {
    verb: 'deletecollection',
    kind: 'ConfigMap',
    namespace: 'default',
    fields: [],
    occurrence: 1,
  },
  'apply ConfigMap/default/a data.a%2Cb,data.c%20%23%25,metadata.labels #1': {
    verb: 'apply',
    kind: 'ConfigMap',
    namespace: 'default',
    name: 'a',
    fields: ['data.a,b', 'data.c #%', 'metadata.labels'],
    occurrence: 1,
  },
};

test('parseWriteName reads the text of writeNameText', () => {
  for (const [text, name] of Object.entries(names)) {
    assert.equal(writeNameText(name), text);
    assert.deepEqual(parseWriteName(text), name);
  }
  assert.equal(parseWriteName('delete Pod/default/a').occurrence, 1);
});

test('parseWriteName rejects other texts with INVALID_OPTION', () => {
  for (const text of [
    '',
    'patch',
    'get Pod/default/a #1',
    'patch Pod',
    'patch Pod/a/b/c',
    'patch Pod/a/b x #0',
    'patch Pod/a/b x y #1',
  ]) {
    assert.throws(() => parseWriteName(text), { code: 'INVALID_OPTION' }, text);
  }
});

test('WriteNames names the writes to a server by their objects and changed fields', async () => {
  const writes = new WriteNames();
  const seen: string[] = [];
  const onRequest = (request: PlannedRequest): undefined => {
    const name = writes.next(request);
    if (name !== undefined) seen.push(writeNameText(name));
  };
  await using env = await TestEnvironment.start({ faults: { onRequest } });
  const { client } = env;
  const named = { name: 'a', namespace: 'default' };
  let map = await client.create(new ConfigMap({ metadata: named, data: { x: '1', y: '1' } }));
  for (const value of ['2', '3']) {
    map = await client.patch(map, (draft) => {
      draft.data = { ...draft.data, y: value };
    });
  }
  await client.apply(new ConfigMap({ metadata: { ...named, labels: { tier: 'web' } }, data: { x: '1', z: '1' } }));
  const current = await env.read(map);
  await client.update({ ...current, data: { x: '1' } });
  const pod = await client.create(
    new Pod({ metadata: { ...named }, spec: { containers: [{ name: 'a', image: 'a' }] } }),
  );
  await client.patchStatus(pod, (status) => {
    status.phase = 'Running';
  });
  await client.create(new ConfigMap({ metadata: { generateName: 'x-', namespace: 'default' } }));
  await client.delete(map);
  assert.deepEqual(seen, [
    'create ConfigMap/default/a #1',
    'patch ConfigMap/default/a data.y #1',
    'patch ConfigMap/default/a data.y #2',
    'apply ConfigMap/default/a data.z,metadata.annotations,metadata.labels #1',
    'update ConfigMap/default/a data.y,data.z #1',
    'create Pod/default/a #1',
    'patch Pod/default/a status.observedGeneration,status.phase #1',
    'create ConfigMap/default/x-* #1',
    'delete ConfigMap/default/a #1',
  ]);
});
