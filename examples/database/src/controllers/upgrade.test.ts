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

test('stepsBetween returns the versions after the current version up to the desired version', () => {
  assert.deepEqual(stepsBetween('10.6', '11.8'), ['10.11', '11.4', '11.8']);
  assert.deepEqual(stepsBetween('11.4', '11.4'), []);
  assert.deepEqual(stepsBetween('11.8', '10.6'), []);
});

test('nextStep returns the desired version for a new database', () => {
  assert.equal(nextStep(database('11.4'), undefined), '11.4');
});

test('nextStep returns the next version, without skipping one, when the server runs with the version of the last step', () => {
  const db = database('11.8', { version: '10.6', step: '10.6' });
  assert.equal(nextStep(db, server('10.6', 1)), '10.11');
});

test('nextStep returns the version of the last step until that version is rolled out', () => {
  const db = database('11.8', { version: '10.6', step: '10.11' });
  assert.equal(nextStep(db, server('10.11', 0)), '10.11');
  assert.equal(nextStep(db, server('10.6', 1)), '10.11');
});

test('nextStep returns the version that was started last if the server is deleted', () => {
  const db = database('11.8', { version: '10.6', step: '10.11' });
  assert.equal(nextStep(db, undefined), '10.11');
});

test('upgrading reports the current step and the remaining steps in the condition', () => {
  assert.equal(upgrading('11.8', { version: '10.6', step: '10.11' }).message, '10.6 to 10.11, then 11.4, then 11.8');
  assert.equal(upgrading('11.8', { version: '11.8', step: '11.8' }).status, false);
  assert.equal(upgrading('11.8', { step: '11.8' }).status, false);
});
