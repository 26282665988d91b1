import { isConditionTrue, type ObjectMeta } from '@kubewright/api';
import { Job } from '@kubewright/api/batch/v1';
import {
  Client,
  Clock,
  Controller,
  ignoreAlreadyExists,
  owned,
  type ReconcileContext,
  type Reconciler,
  Result,
  TerminalError,
} from '@kubewright/runtime';
import { CronJob } from '../api/v1/cron-job.js';
import { type Plan, plan } from '../schedule.js';

const SCHEDULED_AT = 'batch.tutorial.kubebuilder.io/scheduled-at';

@Controller({ for: CronJob, owns: [owned(Job, { verbs: ['create', 'delete'] })] })
export class CronJobController implements Reconciler<CronJob> {
  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
  ) {}

  async reconcile(cronJob: CronJob, { log }: ReconcileContext): Promise<Result> {
    const jobs = await this.client.listOwned(cronJob, Job);
    const failed = jobs.filter((job) => isConditionTrue(job, 'Failed'));
    const successful = jobs.filter((job) => isConditionTrue(job, 'Complete'));
    const active = jobs.filter((job) => !failed.includes(job) && !successful.includes(job));
    const current = await this.client.patchStatus(cronJob, (status) => {
      status.active = active.map(referenceTo);
      status.lastScheduleTime = jobs
        .map(scheduledAt)
        .filter((at) => at !== undefined)
        .toSorted()
        .at(-1);
    });
    await this.deleteOldest(failed, cronJob.spec.failedJobsHistoryLimit);
    await this.deleteOldest(successful, cronJob.spec.successfulJobsHistoryLimit);
    if (cronJob.spec.suspend) return Result.done();

    const { missed, next } = this.plan(current);
    if (!missed) return Result.requeueAt(next);
    if (this.isTooLate(missed, cronJob.spec.startingDeadlineSeconds)) {
      log.warn('missed the starting deadline', { missed });
      return Result.requeueAt(next);
    }
    if (cronJob.spec.concurrencyPolicy === 'Forbid' && active.length > 0) return Result.requeueAt(next);
    if (cronJob.spec.concurrencyPolicy === 'Replace') {
      for (const job of active) await this.client.delete(job, { propagation: 'Background' });
    }
    await this.start(cronJob, missed);
    return Result.requeueAt(next);
  }

  private plan({ spec, status, metadata }: CronJob): Plan {
    const since = new Date(status?.lastScheduleTime ?? metadata.creationTimestamp);
    try {
      return plan(spec.schedule, since, this.clock.now());
    } catch (cause) {
      throw new TerminalError(`spec.schedule: '${spec.schedule}' is not a valid cron schedule`, {
        cause,
        reason: 'BadSchedule',
      });
    }
  }

  private isTooLate(missed: Date, deadlineSeconds: number | undefined): boolean {
    return deadlineSeconds !== undefined && missed.getTime() + deadlineSeconds * 1000 < this.clock.now().getTime();
  }

  /** Starts a run. The name of the Job is derived from the run, so a second start of the same run has no effect. */
  private async start(cronJob: CronJob, run: Date): Promise<void> {
    await ignoreAlreadyExists(this.client.create(jobFor(cronJob, run), { owner: cronJob }));
  }

  private async deleteOldest(jobs: readonly Job[], keep: number): Promise<void> {
    const oldestFirst = jobs.toSorted((a, b) => (a.status?.startTime ?? '').localeCompare(b.status?.startTime ?? ''));
    for (const job of oldestFirst.slice(0, Math.max(0, jobs.length - keep))) {
      await this.client.delete(job, { propagation: 'Background' });
    }
  }
}

export function jobFor(cronJob: CronJob, run: Date): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  return new Job({
    metadata: {
      name: `${cronJob.metadata.name}-${run.getTime() / 1000}`,
      namespace: cronJob.metadata.namespace,
      labels: metadata?.labels,
      annotations: { ...metadata?.annotations, [SCHEDULED_AT]: run.toISOString() },
    },
    spec: spec ?? { template: {} },
  });
}

function scheduledAt(job: { readonly metadata: ObjectMeta }): string | undefined {
  return job.metadata.annotations?.[SCHEDULED_AT];
}

function referenceTo({ apiVersion, kind, metadata: { namespace, name, uid } }: Job) {
  return { apiVersion, kind, namespace, name, uid };
}
