import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackupSpec, Database } from '../api/v1/database.js';
import { backedUp, backupVolumeFor, cronJobFor, lastBackupFor } from './backups.js';

const db = new Database({ metadata: { name: 'shop', namespace: 'default' }, spec: { version: '11.4' } });
const spec = new BackupSpec();
const lastBackup = '2026-01-01T03:00:00Z';

test('backedUp reports a database without a backup as not backed up', () => {
  assert.equal(backedUp(spec, undefined, new Date(lastBackup)).reason, 'NoBackup');
});

test('backedUp reports a database as backed up until the last backup reaches the maximum age', () => {
  assert.equal(backedUp(spec, lastBackup, new Date('2026-01-02T04:59:59Z')).status, true);
  assert.equal(backedUp(spec, lastBackup, new Date('2026-01-02T05:00:00Z')).reason, 'Overdue');
});

test('lastBackupFor returns a Job with the spec of the scheduled backups, which run the image of the given version', () => {
  const scheduled = cronJobFor(db, '11.4').spec.jobTemplate.spec;
  assert.deepEqual(lastBackupFor(db, '11.4').spec, scheduled);
  assert.equal(scheduled?.template.spec?.containers[0]?.image, 'mariadb:11.4');
});

test('backupVolumeFor returns a volume claim without an owner in the namespace of the database', () => {
  const { metadata } = backupVolumeFor(db);
  assert.deepEqual(metadata, { name: 'shop-backups', namespace: 'default' });
});
