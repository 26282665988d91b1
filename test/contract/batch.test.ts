import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareCells, ending, listOf, podsOf } from './workload-bodies.js';

const jobs = (api: ContractApi): string => listOf(api, 'batch/v1', 'jobs');
const cronJobs = (api: ContractApi): string => listOf(api, 'batch/v1', 'cronjobs');
const metadata = { name: 'a' };
const dry = '?dryRun=All';
const spec = { only: ['spec', 'status', 'metadata.labels', 'metadata.generation', 'message', 'details'] };
const quiet = { quiet: true };
/** Paths to compare for causes. They exclude the message, which contains a part of the object. */
const causes = { only: ['reason', 'details.causes.*.field', 'details.causes.*.reason'] };

const job = (more: object = {}): object => ({ metadata, spec: { suspend: true, template: ending(), ...more } });
const cron = (more: object = {}): object => ({
  metadata,
  spec: { schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: { template: ending() } }, ...more },
});

contract(
  'batch',
  {},
  {
    'a Job is filled in, labelled and selected by its uid': async (api) => {
      await api.post(jobs(api) + dry, { metadata, spec: { template: ending() } }, spec);
    },
    'a Job takes the labels of its template': async (api) => {
      const template = { ...ending(), metadata: { labels: { app: 'a' } } };
      await api.post(jobs(api) + dry, { metadata, spec: { template } }, spec);
      await api.post(jobs(api) + dry, { metadata: { name: 'a', labels: { own: 'b' } }, spec: { template } }, spec);
    },
    'a Job of many Pods has no number of completions unless it says so': async (api) => {
      await api.post(jobs(api) + dry, job({ parallelism: 3 }), spec);
      await api.post(jobs(api) + dry, job({ completions: 3 }), spec);
    },
    'a Job that retries each index has no limit for all': async (api) => {
      await api.post(
        jobs(api) + dry,
        job({ completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 }),
        spec,
      );
    },
    'a Job without anything is refused': async (api) => {
      await api.post(jobs(api), { metadata });
    },
    'a Job of Pods that run for good is refused': async (api) => {
      await api.post(jobs(api), job({ template: ending({ restartPolicy: 'Always' }) }));
      await api.post(jobs(api), job({ template: ending({ restartPolicy: 'Sometimes' }) }), causes);
    },
    'a Job with negative numbers is refused': async (api) => {
      await api.post(jobs(api), job({ parallelism: -1, completions: -1, backoffLimit: -1 }));
      await api.post(jobs(api), job({ ttlSecondsAfterFinished: -1, activeDeadlineSeconds: -1 }));
    },
    'a selector that the server makes is not given': async (api) => {
      await api.post(jobs(api), job({ selector: { matchLabels: { app: 'a' } } }));
    },
    'a Job with a selector of its own says so': async (api) => {
      const { selector, template } = podsOf();
      const own = { ...(template as object), spec: (ending() as { spec: object }).spec };
      await api.post(jobs(api) + dry, job({ manualSelector: true, selector, template: own }), spec);
      await api.post(jobs(api), job({ manualSelector: true, template: own }));
      await api.post(jobs(api), job({ manualSelector: true, selector: { matchLabels: { app: 'b' } }, template: own }));
    },
    'an indexed Job has a number of completions': async (api) => {
      await api.post(jobs(api), job({ completionMode: 'Indexed', parallelism: 1 }));
      await api.post(jobs(api), job({ completionMode: 'Indexed', completions: 1, parallelism: 100_001 }));
      await api.post(jobs(api), job({ completionMode: 'Odd' }));
    },
    'an indexed Job has a name that its Pods can have': async (api) => {
      const name = 'a'.repeat(62);
      await api.post(jobs(api), {
        metadata: { name },
        spec: { suspend: true, completionMode: 'Indexed', completions: 11, template: ending() },
      });
    },
    'what only indexed Jobs have is refused for others': async (api) => {
      await api.post(jobs(api), job({ backoffLimitPerIndex: 1 }));
      await api.post(jobs(api), job({ maxFailedIndexes: 1 }));
      await api.post(jobs(api), job({ successPolicy: { rules: [{ succeededCount: 1 }] } }));
    },
    'the limits of a huge indexed Job are checked': async (api) => {
      const huge = { completionMode: 'Indexed', completions: 200_000, backoffLimitPerIndex: 1 };
      await api.post(jobs(api), job({ ...huge, parallelism: 20_000 }));
      await api.post(jobs(api), job({ ...huge, maxFailedIndexes: 20_000, parallelism: 1 }));
    },
    'a pod failure policy is checked': async (api) => {
      const of = (...rules: object[]): object => job({ podFailurePolicy: { rules } });
      await api.post(jobs(api) + dry, of({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }), spec);
      await api.post(jobs(api), of({ action: 'Ignore' }));
      await api.post(jobs(api), of({ action: 'Explode', onExitCodes: { operator: 'In', values: [1] } }));
      await api.post(jobs(api), of({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [0, 2, 1, 1] } }));
      await api.post(
        jobs(api),
        of({ action: 'FailJob', onExitCodes: { operator: 'Near', values: [], containerName: 'x' } }),
      );
      await api.post(jobs(api), of({ action: 'FailJob', onPodConditions: [{ type: 'a b', status: 'Maybe' }] }));
    },
    'a pod failure policy needs Pods that are not restarted': async (api) => {
      const podFailurePolicy = { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] };
      await api.post(jobs(api), job({ podFailurePolicy, template: ending({ restartPolicy: 'OnFailure' }) }));
      await api.post(jobs(api), job({ podFailurePolicy, podReplacementPolicy: 'TerminatingOrFailed' }));
    },
    'a success policy is checked': async (api) => {
      const of = (...rules: object[]): object =>
        job({ completionMode: 'Indexed', completions: 3, successPolicy: { rules } });
      await api.post(jobs(api) + dry, of({ succeededIndexes: '0-1,2', succeededCount: 1 }), spec);
      await api.post(jobs(api), of({}));
      await api.post(jobs(api), of());
      await api.post(
        jobs(api),
        of(
          { succeededIndexes: '0-5' },
          { succeededIndexes: '2,1' },
          { succeededIndexes: '0-1-2' },
          { succeededIndexes: 'x' },
        ),
      );
      await api.post(jobs(api), of({ succeededCount: 4 }, { succeededIndexes: '0', succeededCount: 2 }));
    },
    'who manages a Job is a path with a domain': async (api) => {
      await api.post(jobs(api), job({ managedBy: 'me' }));
      await api.post(jobs(api), job({ managedBy: `example.com/${'a'.repeat(60)}` }));
      await api.post(jobs(api), job({ managedBy: 'Example.com/me too' }));
    },
    'a Job whose name no Pod can have is warned about': async (api) => {
      await api.post(
        jobs(api) + dry,
        { metadata: { name: 'a.b' }, spec: { template: ending() } },
        { only: ['metadata.name'] },
      );
    },
    'little of a Job changes': async (api) => {
      await api.post(jobs(api), job(), quiet);
      await api.patch(`${jobs(api)}/a`, { spec: { completions: 2 } });
      await api.patch(`${jobs(api)}/a`, { spec: { selector: { matchLabels: { app: 'b' } } } }, causes);
      await api.patch(`${jobs(api)}/a`, { spec: { completionMode: 'Indexed' } });
      await api.patch(`${jobs(api)}/a`, { spec: { managedBy: 'example.com/me' } });
      await api.patch(
        `${jobs(api)}/a`,
        { spec: { parallelism: 2, backoffLimit: 1 } },
        { only: ['spec.parallelism', 'spec.backoffLimit', 'metadata.generation'] },
      );
    },
    'the template of a Job never changes': async (api) => {
      await api.post(jobs(api), { metadata, spec: { parallelism: 0, template: ending() } }, quiet);
      await api.patch(`${jobs(api)}/a`, { spec: { template: { spec: { activeDeadlineSeconds: 7 } } } }, causes);
      await api.patch(`${jobs(api)}/a`, { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } }, causes);
    },
    'where the Pods of a suspended Job go may change': async (api) => {
      await api.post(jobs(api), job(), quiet);
      await api.patch(
        `${jobs(api)}/a`,
        { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } },
        { only: ['spec.template.spec.nodeSelector'] },
      );
    },
    'an indexed Job grows by both numbers at once': async (api) => {
      await api.post(jobs(api), job({ completionMode: 'Indexed', completions: 2, parallelism: 2 }), quiet);
      await api.patch(`${jobs(api)}/a`, { spec: { completions: 3 } });
      await api.patch(
        `${jobs(api)}/a`,
        { spec: { completions: 3, parallelism: 3 } },
        { only: ['spec.completions', 'spec.parallelism'] },
      );
    },
    'the status of a Job does not contradict itself': async (api) => {
      await api.post(jobs(api), job({ managedBy: 'example.com/me' }), quiet);
      const status = (body: object): Promise<unknown> => api.patch(`${jobs(api)}/a/status`, { status: body });
      await status({ active: -1, failed: -1 });
      await status({ ready: 2, active: 1 });
      await status({ completedIndexes: '1' });
      await status({ failedIndexes: '1' });
      await status({ conditions: [{ type: 'Complete', status: 'True' }] });
      await status({ conditions: [{ type: 'Failed', status: 'True' }] });
      await status({ completionTime: '2026-01-01T00:00:00Z' });
    },
    'the end of a Job is final': async (api) => {
      await api.post(jobs(api), job({ managedBy: 'example.com/me' }), quiet);
      const status = (body: object): Promise<unknown> =>
        api.patch(`${jobs(api)}/a/status`, { status: body }, { only: ['status.succeeded', 'message', 'details'] });
      const conditions = [
        { type: 'SuccessCriteriaMet', status: 'True' },
        { type: 'Complete', status: 'True' },
      ];
      const startTime = '2026-01-01T00:00:00Z';
      await status({ startTime, completionTime: '2025-01-01T00:00:00Z', conditions, succeeded: 1 });
      await status({ startTime, completionTime: '2026-01-01T00:00:05Z', conditions, succeeded: 1 });
      await status({ conditions: [], succeeded: 0 });
      await compareCells(api, `${jobs(api)}/a`);
    },
    'Jobs are selected by their successes': async (api) => {
      await api.post(jobs(api), job(), quiet);
      await api.get(`${jobs(api)}?fieldSelector=status.successful%3D0`, { only: ['items.*.metadata.name'] });
      await api.get(`${jobs(api)}?fieldSelector=status.successful%3D1`, { only: ['items.*.metadata.name'] });
      await api.get(`${jobs(api)}?fieldSelector=status.active%3D1`);
    },
    'a CronJob is filled in': async (api) => {
      await api.post(cronJobs(api) + dry, {
        metadata,
        spec: { schedule: '@daily', jobTemplate: { spec: { template: ending() } } },
      });
    },
    'a CronJob without anything is refused': async (api) => {
      await api.post(cronJobs(api), { metadata });
    },
    'a CronJob has a name that its Jobs can have': async (api) => {
      await api.post(cronJobs(api), { ...cron(), metadata: { name: 'a'.repeat(53) } });
    },
    'a schedule that cannot be read is refused': async (api) => {
      for (const schedule of [
        'soon',
        '* * * *',
        '60 * * * *',
        '* 24 * * *',
        '* * 0 * *',
        '* * * foo *',
        '* * * * 7',
        '*/0 * * * *',
        '5-1 * * * *',
        '1-2-3 * * * *',
        '1/2/3 * * * *',
        '-1 * * * *',
        '@often',
        '@every x',
      ]) {
        await api.post(cronJobs(api), cron({ schedule }), { only: ['message'] });
      }
    },
    'schedules of every form are taken': async (api) => {
      for (const schedule of ['*/5 * * * *', '0 9-17 * jan-MAR mon,wed', '@hourly', '@every 1h30m', '0 0 ? * *']) {
        await api.post(cronJobs(api) + dry, cron({ schedule }), { only: ['spec.schedule', 'message'] });
      }
    },
    'a time zone has a field of its own': async (api) => {
      await api.post(cronJobs(api), cron({ schedule: 'CRON_TZ=UTC 0 0 1 1 *' }));
      for (const timeZone of ['', 'Nowhere/Land', '../etc', 'Local', 'local', 'Europe/Zurich', 'Etc/UTC']) {
        await api.post(cronJobs(api) + dry, cron({ timeZone }), { only: ['spec.timeZone', 'message'] });
      }
    },
    'a CronJob with what is unknown is refused': async (api) => {
      await api.post(cronJobs(api), cron({ concurrencyPolicy: 'Queue' }));
      await api.post(
        cronJobs(api),
        cron({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
      );
    },
    'the Jobs of a CronJob are checked with it': async (api) => {
      const of = (more: object): object => cron({ jobTemplate: { spec: { template: ending(), ...more } } });
      await api.post(cronJobs(api), of({ parallelism: -1 }));
      await api.post(cronJobs(api), of({ selector: { matchLabels: { a: 'b' } }, manualSelector: true }));
      await api.post(cronJobs(api), of({ template: ending({ restartPolicy: 'Always' }) }));
    },
    'a CronJob counts changes of its spec': async (api) => {
      const generation = { only: ['metadata.generation'] };
      await api.post(cronJobs(api), cron(), generation);
      await api.patch(`${cronJobs(api)}/a`, { metadata: { annotations: { a: 'b' } } }, generation);
      await api.patch(`${cronJobs(api)}/a`, { spec: { schedule: '@yearly' } }, generation);
    },
    'CronJobs as a table': async (api) => {
      await api.post(cronJobs(api), cron({ timeZone: 'Etc/UTC' }), quiet);
      await compareCells(api, `${cronJobs(api)}/a`);
    },
  },
);
