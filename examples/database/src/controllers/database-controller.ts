import { isReady, keyOf, metadataOnly, setCondition } from '@kubewright/api';
import { StatefulSet } from '@kubewright/api/apps/v1';
import { CronJob, Job } from '@kubewright/api/batch/v1';
import { PersistentVolumeClaim, Secret, Service } from '@kubewright/api/core/v1';
import {
  Client,
  Clock,
  Controller,
  EventRecorder,
  ignoreAlreadyExists,
  owned,
  Rbac,
  type Reconciler,
  Result,
} from '@kubewright/runtime';
import { Database } from '../api/v1/database.js';
import type { Version } from '../api/v1/version.js';
import { backedUp, backupVolumeFor, cronJobFor, lastBackupFor, overdueAt } from './backups.js';
import { labelsOf, ready, secretFor, serviceFor, statefulSetFor } from './children.js';
import { isRolledOut, nextStep, upgrading } from './upgrade.js';

/** The role of the operator allows creating these objects, but not changing or deleting them. */
const once = { verbs: ['create'] } as const;

@Controller({
  for: Database,
  owns: [StatefulSet, Service, CronJob, owned(metadataOnly(Secret), once), owned(Job, once)],
})
@Rbac({ kind: PersistentVolumeClaim, verbs: ['create', 'deletecollection'] })
export class DatabaseController implements Reconciler<Database> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
    private readonly clock: Clock,
  ) {}

  async reconcile(db: Database): Promise<Result> {
    await this.keepPassword(db);
    const step = nextStep(db, await this.client.find(StatefulSet, keyOf(db)));
    const begun = step === db.status?.step ? db : await this.begin(db, step);
    const [server, , backups] = await this.client.applyOwned(db, [
      statefulSetFor(db, step),
      serviceFor(db),
      cronJobFor(db, step),
    ]);
    const now = this.clock.now();
    const { status } = await this.client.patchStatus(begun, (status) => {
      if (isRolledOut(server, step)) status.version = step;
      if (backups.status?.lastSuccessfulTime) status.lastBackup = backups.status.lastSuccessfulTime;
      setCondition(status, ready(server));
      setCondition(status, upgrading(db.spec.version, status));
      setCondition(status, backedUp(db.spec.backup, status.lastBackup, now));
    });
    const overdue = status?.lastBackup && overdueAt(db.spec.backup, status.lastBackup);
    return overdue && overdue > now ? Result.requeueAt(overdue) : Result.done();
  }

  /** Waits for the last backup unless `spec.backup.beforeDeletion` is false. Then stops the server and deletes its volume. */
  async finalize(db: Database): Promise<Result> {
    const { step } = db.status ?? {};
    if (step !== undefined && db.spec.backup.beforeDeletion) {
      const [made] = await this.client.listOwned(db, Job);
      const job = made ?? (await this.client.create(lastBackupFor(db, step), { owner: db }));
      // A change of the Job triggers a reconcile of the database. The requeue after one hour is only a fallback.
      if (!isReady(job)) return Result.requeueAfter('1h');
      this.events.normal(db, 'LastBackup', `created by Job ${job.metadata.name}`);
    }
    await this.client.applyOwned(db, []);
    await this.client.deleteAll(PersistentVolumeClaim, { namespace: db.metadata.namespace, labels: labelsOf(db) });
    return Result.done();
  }

  /**
   * Creates the volume claim for backups, and then the Secret with the password, once. Throws if the Secret is missing after the first
   * start, because the data files still require the first password.
   */
  private async keepPassword(db: Database): Promise<void> {
    const [secret] = await this.client.listOwned(db, metadataOnly(Secret));
    if (secret !== undefined) return;
    if (db.status?.step !== undefined)
      throw new Error('the Secret with the password does not exist; restore the Secret from a backup');
    await ignoreAlreadyExists(this.client.create(backupVolumeFor(db)));
    await this.client.create(secretFor(db), { owner: db });
  }

  /**
   * Records the step before a server of this version starts. After the start, older servers can no longer open the files of the database.
   */
  private async begin(db: Database, step: Version): Promise<Database> {
    const begun = await this.client.patchStatus(db, (status) => {
      if (status.step) status.version = status.step;
      status.step = step;
      setCondition(status, { type: 'Ready', status: false, reason: 'Starting' });
      setCondition(status, upgrading(db.spec.version, status));
    });
    if (db.status?.step) this.events.normal(db, 'Upgrading', `from ${db.status.step} to ${step}`);
    return begun;
  }
}
