import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pod } from '@kubewright/api/core/v1';
import { Result } from '../controller/reconciler/result.js';
import { INSPECTION, inspectionOf } from './inspection.js';
import { Manager } from './manager.js';

test('start passes the manager to the inspection function of globalThis, sends no request and does not resolve', async (t) => {
  assert.equal(INSPECTION, Symbol.for('kubewright.inspection'));
  const handed: Manager[] = [];
  const scope = globalThis as { [INSPECTION]?: (manager: Manager) => void };
  scope[INSPECTION] = (manager) => handed.push(manager);
  t.after(() => delete scope[INSPECTION]);
  // No server listens on this port, so a start would fail.
  const manager = new Manager({ settings: false, signals: false, connection: { server: 'https://127.0.0.1:1' } });
  manager.control({ for: Pod }, async () => Result.done());
  const started = manager.start();
  assert.deepEqual(handed, [manager]);
  assert.equal(manager.describe().controllers[0]?.name, 'pod');
  assert.equal(manager.status().state, 'new');
  const other = new Promise((resolve) => setImmediate(resolve, 'other'));
  assert.equal(await Promise.race([started.then(() => 'started'), other]), 'other');
});

test('inspectionOf returns undefined if the property of globalThis is undefined or not a function', () => {
  assert.equal(inspectionOf({}), undefined);
  assert.equal(inspectionOf({ [INSPECTION]: true }), undefined);
});
