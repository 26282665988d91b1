import type { ConditionInit } from '@kubewright/api';
import { CronJob, Job, type JobSpec } from '@kubewright/api/batch/v1';
import { PersistentVolumeClaim } from '@kubewright/api/core/v1';
import type { BackupSpec, Database } from '../api/v1/database.js';
import type { Version } from '../api/v1/version.js';
import { imageOf, passwordAs } from './children.js';

const HOUR_MS = 3_600_000;

/** Returns the volume claim for backups. The claim has no owner, so that it is not deleted with the database. */
export function backupVolumeFor({ metadata: { name, namespace }, spec }: Database): PersistentVolumeClaim {
  return new PersistentVolumeClaim({
    metadata: { name: `${name}-backups`, namespace },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: spec.storage } } },
  });
}

/** Returns the CronJob that makes the scheduled backups. */
export function cronJobFor(db: Database, version: Version): CronJob {
  return new CronJob({
    metadata: { name: `${db.metadata.name}-backup` },
    spec: {
      schedule: db.spec.backup.schedule,
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: backup(db, version) },
    },
  });
}

export function lastBackupFor(db: Database, version: Version): Job {
  return new Job({ metadata: { name: `${db.metadata.name}-last-backup` }, spec: backup(db, version) });
}

function backup(db: Database, version: Version): JobSpec {
  const { name } = db.metadata;
  const dump = `mariadb-dump --host=${name}-0.${name} --user=root --all-databases > /backups/$HOSTNAME.sql`;
  return {
    template: {
      spec: {
        restartPolicy: 'OnFailure',
        containers: [
          {
            name: 'dump',
            image: imageOf(version),
            command: ['sh', '-c', dump],
            env: [passwordAs('MYSQL_PWD', db)],
            volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
          },
        ],
        volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: `${name}-backups` } }],
      },
    },
  };
}

/** Returns the time at which the last backup becomes too old. */
export function overdueAt({ maxAge }: BackupSpec, lastBackup: string): Date {
  return new Date(new Date(lastBackup).getTime() + maxAge * HOUR_MS);
}

/** Returns the condition that reports whether the last backup is recent enough. */
export function backedUp(spec: BackupSpec, lastBackup: string | undefined, now: Date): ConditionInit {
  if (lastBackup === undefined) return { type: 'BackedUp', status: false, reason: 'NoBackup' };
  return now < overdueAt(spec, lastBackup)
    ? { type: 'BackedUp', status: true, reason: 'Fresh' }
    : {
        type: 'BackedUp',
        status: false,
        reason: 'Overdue',
        message: `no backup has succeeded for ${spec.maxAge} hours`,
      };
}
