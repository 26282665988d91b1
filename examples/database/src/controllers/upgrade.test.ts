import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatefulSet } from '@kubewright/api/apps/v1';
import { Database, type DatabaseStatus } from '../api/v1/database.js';
import type { Version } from '../api/v1/version.js';
import { statefulSetFor } from './children.js';
import { nextStep, stepsBetween, upgrading } from './upgrade.js';

function database(version: Version, status: DatabaseStatus = {}): Database {
  return { ...new Database({ metadata: { name: 'shop' }, spec: { version } }), status };
}
function server(version: Version, readyReplicas: number): StatefulSet {
  return { ...statefulSetFor(database(version), version), status: { replicas: 1, currentReplicas: 1, readyReplicas } };
}

test('the steps of an upgrade are all the versions after the one to the other', () => {
  assert.deepEqual(stepsBetween('10.6', '11.8'), ['10.11', '11.4', '11.8']);
  assert.deepEqual(stepsBetween('11.4', '11.4'), []);
  assert.deepEqual(stepsBetween('11.8', '10.6'), []);
});

test('a new database begins with the version that is wanted', () => {
  assert.equal(nextStep(database('11.4'), undefined), '11.4');
});

test('the next step is taken when the server runs with the last, and none is skipped', () => {
  const db = database('11.8', { version: '10.6', step: '10.6' });
  assert.equal(nextStep(db, server('10.6', 1)), '10.11');
});

test('a step is waited for', () => {
  const db = database('11.8', { version: '10.6', step: '10.11' });
  assert.equal(nextStep(db, server('10.11', 0)), '10.11');
  assert.equal(nextStep(db, server('10.6', 1)), '10.11');
});

test('a server that somebody deleted comes back with the version that was started last', () => {
  const db = database('11.8', { version: '10.6', step: '10.11' });
  assert.equal(nextStep(db, undefined), '10.11');
});

test('the condition says where an upgrade is and what comes after', () => {
  assert.equal(upgrading('11.8', { version: '10.6', step: '10.11' }).message, '10.6 to 10.11, then 11.4, then 11.8');
  assert.equal(upgrading('11.8', { version: '11.8', step: '11.8' }).status, false);
  assert.equal(upgrading('11.8', { step: '11.8' }).status, false);
});
