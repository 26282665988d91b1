import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';
import { ages, type Version, versions } from './version.js';

export class BackupSpec {
  /** When backups are made, in cron format. */
  @Field.string({ minLength: 1 }) schedule: Default<string> = '0 3 * * *';
  /** In hours. A database whose last backup is older is not BackedUp. */
  @Field.int32({ minimum: 1 }) maxAge: Default<number> = 26;
  /** Whether a database that is deleted waits for a last backup. */
  @Field.boolean() beforeDeletion: Default<boolean> = true;
}
export class DatabaseSpec {
  /** The release series. It may be set to any later one; the way there goes through each in between. */
  @Field.enum(versions, {
    rules: [{ rule: `${ages}[self] >= ${ages}[oldSelf]`, message: 'a database cannot go back to an older version' }],
  })
  version!: Version;
  /** The size of the volume. */
  @Field.quantity({ immutable: true }) storage: Default<string> = '1Gi';
  @Field.object(BackupSpec) backup: Default<BackupSpec> = new BackupSpec();
}
export class DatabaseStatus {
  /** The version that runs. */
  @Field.enum(versions, { optional: true }) version?: Version;
  /** The version that was started last: the same, or one step further. */
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
