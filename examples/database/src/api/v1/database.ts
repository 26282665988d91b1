import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';
import { ages, type Version, versions } from './version.js';

export class BackupSpec {
  /** Schedule of the backups in cron format. */
  @Field.string({ minLength: 1 }) schedule: Default<string> = '0 3 * * *';
  /** Maximum age of the last backup in hours. If the last backup is older, the condition BackedUp is false. */
  @Field.int32({ minimum: 1 }) maxAge: Default<number> = 26;
  /** Whether a deleted database waits for a last backup. */
  @Field.boolean() beforeDeletion: Default<boolean> = true;
}
export class DatabaseSpec {
  /** The release series. An upgrade to a later series passes through each series in between. */
  @Field.enum(versions, {
    rules: [
      { rule: `${ages}[self] >= ${ages}[oldSelf]`, message: 'a database cannot be downgraded to an older version' },
    ],
  })
  version!: Version;
  /** The size of the volume. */
  @Field.quantity({ immutable: true }) storage: Default<string> = '1Gi';
  @Field.object(BackupSpec) backup: Default<BackupSpec> = new BackupSpec();
}
export class DatabaseStatus {
  /** The running version. */
  @Field.enum(versions, { optional: true }) version?: Version;
  /** The version that was started last. It is the running version or the next step of an upgrade. */
  @Field.enum(versions, { optional: true }) step?: Version;
  @Field.dateTime({ optional: true }) lastBackup?: string;
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}

/** A MariaDB server with a volume, backups and upgrades. */
@Kind({ group: 'db.example.com', version: 'v1', shortNames: ['db'] })
@PrintColumn({ name: 'Ready', jsonPath: '.status.conditions[?(@.type=="Ready")].status' })
@PrintColumn({ name: 'Version', jsonPath: '.status.version' })
@PrintColumn({ name: 'Upgrade', jsonPath: '.status.conditions[?(@.type=="Upgrading")].message' })
@PrintColumn({ name: 'Last Backup', jsonPath: '.status.lastBackup', type: 'date' })
export class Database extends CustomResource(DatabaseSpec, DatabaseStatus) {}
