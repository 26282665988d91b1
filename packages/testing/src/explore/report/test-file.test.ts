import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SavedFinding } from '../histories/saved-finding.js';
import { testFileOf, type TestSources } from './test-file.js';

const sources: TestSources = {
  kinds: new Map([['Store', { name: 'Store', from: './api/v1/store.js', namespaced: true }]]),
  components: [{ name: 'StoreController', from: './controllers/store-controller.js' }],
};
const finding: SavedFinding = {
  oracle: 'history',
  sentence: 'the result depends on an earlier declaration',
  kind: { apiVersion: 'example.com/v1', kind: 'Store' },
  trial: {
    steps: [
      { action: 'declare', spec: { cache: true } },
      { action: 'declare', spec: {} },
    ],
  },
  expected: { steps: [{ action: 'declare', spec: {} }] },
  at: 1,
  differences: [
    { object: 'ConfigMap default/subject-cache', path: '', actual: {}, expected: undefined },
    { object: 'Deployment default/subject', path: 'spec.replicas', actual: 2, expected: 1 },
    { object: 'ConfigMap default/subject', path: 'data.a.b', actual: 'x', expected: 'y' },
  ],
  details: [],
  fields: ['spec.cache'],
  signature: 'history ConfigMap',
};

test('testFileOf returns a test with the steps of the history and an assertion for each difference', () => {
  assert.equal(
    testFileOf(finding, sources),
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { Store } from './api/v1/store.js';
import { StoreController } from './controllers/store-controller.js';

const metadata = { namespace: 'default', name: 'subject' };

test('Store: the result depends on an earlier declaration', async () => {
  const clock = new FakeClock();
  await using env = await TestEnvironment.start({ kinds: [Store], workloads: true, clock });
  await env.run(StoreController);

  // Create the Store.
  await env.client.create(new Store({ metadata, spec: { cache: true } }));
  await clock.advance('1m');

  // Change spec.cache.
  await env.client.update(
    new Store({
      metadata: (await env.client.get(Store, metadata)).metadata,
      spec: {},
    }),
  );
  await clock.advance('1m');

  // The rule 'history': the result depends on an earlier declaration.
  assert.equal(await env.client.find(ConfigMap, { namespace: 'default', name: 'subject-cache' }), undefined);
  assert.deepEqual((await env.client.get(Deployment, { namespace: 'default', name: 'subject' })).spec?.replicas, 1);
  assert.deepEqual((await env.client.get(ConfigMap, { namespace: 'default', name: 'subject' })).data?.['a.b'], 'y');
});
`,
  );
});

test('testFileOf returns undefined if no assertion is possible', () => {
  assert.equal(testFileOf({ ...finding, oracle: 'effect', differences: [] }, sources), undefined);
  assert.equal(testFileOf({ ...finding, kind: { apiVersion: 'example.com/v1', kind: 'Other' } }, sources), undefined);
  const symbolic = [{ object: 'ConfigMap default/a', path: 'data.uid', actual: 'x', expected: '<uid of Store a>' }];
  assert.equal(testFileOf({ ...finding, differences: symbolic }, sources), undefined);
});

test('testFileOf returns a test with a fault plan for a history with a crash', () => {
  const faults = [{ kind: 'crash', at: 'after', write: 'create ConfigMap/default/subject #1' }] as const;
  const missing = { metadata: { ownerReferences: [{ uid: '<uid of Store default/subject>' }] } };
  const differences = [{ object: 'ConfigMap default/b', path: '', actual: undefined, expected: missing }];
  const crashed: SavedFinding = { ...finding, oracle: 'crash', trial: { ...finding.trial, faults }, differences };
  const text = testFileOf(crashed, sources) ?? '';
  assert.match(text, /assert\.ok\(await env\.client\.find\(ConfigMap, \{ namespace: 'default', name: 'b' \}\)\);/);
  assert.match(text, /const crash = new CrashAfter\('create ConfigMap\/default\/subject #1'\);/);
  assert.match(text, /class CrashAfter implements FaultPlan/);
  assert.match(text, /let manager = await env\.run\(StoreController\);/);
});
