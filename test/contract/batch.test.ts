import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareCells, ending, listOf, podsOf } from './workload-bodies.js';

const jobs = (api: ContractApi): string => listOf(api, 'batch/v1', 'jobs');
const cronJobs = (api: ContractApi): string => listOf(api, 'batch/v1', 'cronjobs');
const metadata = { name: 'a' };
const dry = '?dryRun=All';
const spec = { only: ['spec', 'status', 'metadata.labels', 'metadata.generation', 'message', 'details'] };
const quiet = { quiet: true };
/** Compares the reason and the causes of an error without their messages, which contain a part of the object. */
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
    'defaults a Job with labels and a selector from its uid': async (api) => {
      await api.post(jobs(api) + dry, { metadata, spec: { template: ending() } }, spec);
    },
    'copies the labels of the template to a Job without labels': async (api) => {
      const template = { ...ending(), metadata: { labels: { app: 'a' } } };
      await api.post(jobs(api) + dry, { metadata, spec: { template } }, spec);
      await api.post(jobs(api) + dry, { metadata: { name: 'a', labels: { own: 'b' } }, spec: { template } }, spec);
    },
    'does not default the completions of a Job with several parallel Pods': async (api) => {
      await api.post(jobs(api) + dry, job({ parallelism: 3 }), spec);
      await api.post(jobs(api) + dry, job({ completions: 3 }), spec);
    },
    'does not default the backoffLimit of a Job with backoffLimitPerIndex': async (api) => {
      await api.post(
        jobs(api) + dry,
        job({ completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 }),
        spec,
      );
    },
    'rejects a Job without required fields': async (api) => {
      await api.post(jobs(api), { metadata });
    },
    'rejects a Job with the restartPolicy Always': async (api) => {
      await api.post(jobs(api), job({ template: ending({ restartPolicy: 'Always' }) }));
      await api.post(jobs(api), job({ template: ending({ restartPolicy: 'Sometimes' }) }), causes);
    },
    'rejects a Job with negative numbers': async (api) => {
      await api.post(jobs(api), job({ parallelism: -1, completions: -1, backoffLimit: -1 }));
      await api.post(jobs(api), job({ ttlSecondsAfterFinished: -1, activeDeadlineSeconds: -1 }));
    },
    'rejects a Job that sets a selector without manualSelector': async (api) => {
      await api.post(jobs(api), job({ selector: { matchLabels: { app: 'a' } } }));
    },
    'accepts a custom selector of a Job with manualSelector': async (api) => {
      const { selector, template } = podsOf();
      const own = { ...(template as object), spec: (ending() as { spec: object }).spec };
      await api.post(jobs(api) + dry, job({ manualSelector: true, selector, template: own }), spec);
      await api.post(jobs(api), job({ manualSelector: true, template: own }));
      await api.post(jobs(api), job({ manualSelector: true, selector: { matchLabels: { app: 'b' } }, template: own }));
    },
    'rejects an indexed Job without completions': async (api) => {
      await api.post(jobs(api), job({ completionMode: 'Indexed', parallelism: 1 }));
      await api.post(jobs(api), job({ completionMode: 'Indexed', completions: 1, parallelism: 100_001 }));
      await api.post(jobs(api), job({ completionMode: 'Odd' }));
    },
    'rejects an indexed Job whose Pod names would be too long': async (api) => {
      const name = 'a'.repeat(62);
      await api.post(jobs(api), {
        metadata: { name },
        spec: { suspend: true, completionMode: 'Indexed', completions: 11, template: ending() },
      });
    },
    'rejects fields of indexed Jobs in a Job that is not indexed': async (api) => {
      await api.post(jobs(api), job({ backoffLimitPerIndex: 1 }));
      await api.post(jobs(api), job({ maxFailedIndexes: 1 }));
      await api.post(jobs(api), job({ successPolicy: { rules: [{ succeededCount: 1 }] } }));
    },
    'validates the limits of an indexed Job with many completions': async (api) => {
      const huge = { completionMode: 'Indexed', completions: 200_000, backoffLimitPerIndex: 1 };
      await api.post(jobs(api), job({ ...huge, parallelism: 20_000 }));
      await api.post(jobs(api), job({ ...huge, maxFailedIndexes: 20_000, parallelism: 1 }));
    },
    'validates a podFailurePolicy': async (api) => {
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
    'rejects a podFailurePolicy unless the restartPolicy is Never': async (api) => {
      const podFailurePolicy = { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] };
      await api.post(jobs(api), job({ podFailurePolicy, template: ending({ restartPolicy: 'OnFailure' }) }));
      await api.post(jobs(api), job({ podFailurePolicy, podReplacementPolicy: 'TerminatingOrFailed' }));
    },
    'validates a successPolicy': async (api) => {
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
    'rejects a managedBy that is not a domain-prefixed path': async (api) => {
      await api.post(jobs(api), job({ managedBy: 'me' }));
      await api.post(jobs(api), job({ managedBy: `example.com/${'a'.repeat(60)}` }));
      await api.post(jobs(api), job({ managedBy: 'Example.com/me too' }));
    },
    'warns about a Job name that is not a valid hostname': async (api) => {
      await api.post(
        jobs(api) + dry,
        { metadata: { name: 'a.b' }, spec: { template: ending() } },
        { only: ['metadata.name'] },
      );
    },
    'rejects changes of immutable fields of a Job': async (api) => {
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
    'rejects a change of the template of a Job': async (api) => {
      await api.post(jobs(api), { metadata, spec: { parallelism: 0, template: ending() } }, quiet);
      await api.patch(`${jobs(api)}/a`, { spec: { template: { spec: { activeDeadlineSeconds: 7 } } } }, causes);
      await api.patch(`${jobs(api)}/a`, { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } }, causes);
    },
    'accepts changes of the scheduling directives of a suspended Job': async (api) => {
      await api.post(jobs(api), job(), quiet);
      await api.patch(
        `${jobs(api)}/a`,
        { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } },
        { only: ['spec.template.spec.nodeSelector'] },
      );
    },
    'accepts a change of completions of an indexed Job together with parallelism': async (api) => {
      await api.post(jobs(api), job({ completionMode: 'Indexed', completions: 2, parallelism: 2 }), quiet);
      await api.patch(`${jobs(api)}/a`, { spec: { completions: 3 } });
      await api.patch(
        `${jobs(api)}/a`,
        { spec: { completions: 3, parallelism: 3 } },
        { only: ['spec.completions', 'spec.parallelism'] },
      );
    },
    'rejects a contradictory status of a Job': async (api) => {
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
    'rejects changes of the status of a finished Job': async (api) => {
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
    'selects Jobs by status.successful': async (api) => {
      await api.post(jobs(api), job(), quiet);
      await api.get(`${jobs(api)}?fieldSelector=status.successful%3D0`, { only: ['items.*.metadata.name'] });
      await api.get(`${jobs(api)}?fieldSelector=status.successful%3D1`, { only: ['items.*.metadata.name'] });
      await api.get(`${jobs(api)}?fieldSelector=status.active%3D1`);
    },
    'defaults a CronJob': async (api) => {
      await api.post(cronJobs(api) + dry, {
        metadata,
        spec: { schedule: '@daily', jobTemplate: { spec: { template: ending() } } },
      });
    },
    'rejects a CronJob without required fields': async (api) => {
      await api.post(cronJobs(api), { metadata });
    },
    'rejects a CronJob whose Job names would be too long': async (api) => {
      await api.post(cronJobs(api), { ...cron(), metadata: { name: 'a'.repeat(53) } });
    },
    'rejects an invalid schedule': async (api) => {
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
    'accepts schedules in all formats': async (api) => {
      for (const schedule of ['*/5 * * * *', '0 9-17 * jan-MAR mon,wed', '@hourly', '@every 1h30m', '0 0 ? * *']) {
        await api.post(cronJobs(api) + dry, cron({ schedule }), { only: ['spec.schedule', 'message'] });
      }
    },
    'accepts a time zone in timeZone and rejects a time zone in the schedule': async (api) => {
      await api.post(cronJobs(api), cron({ schedule: 'CRON_TZ=UTC 0 0 1 1 *' }));
      for (const timeZone of ['', 'Nowhere/Land', '../etc', 'Local', 'local', 'Europe/Zurich', 'Etc/UTC']) {
        await api.post(cronJobs(api) + dry, cron({ timeZone }), { only: ['spec.timeZone', 'message'] });
      }
    },
    'rejects a CronJob with an unknown policy or negative numbers': async (api) => {
      await api.post(cronJobs(api), cron({ concurrencyPolicy: 'Queue' }));
      await api.post(
        cronJobs(api),
        cron({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
      );
    },
    'validates the jobTemplate of a CronJob': async (api) => {
      const of = (more: object): object => cron({ jobTemplate: { spec: { template: ending(), ...more } } });
      await api.post(cronJobs(api), of({ parallelism: -1 }));
      await api.post(cronJobs(api), of({ selector: { matchLabels: { a: 'b' } }, manualSelector: true }));
      await api.post(cronJobs(api), of({ template: ending({ restartPolicy: 'Always' }) }));
    },
    'increments the generation of a CronJob for changes of its spec': async (api) => {
      const generation = { only: ['metadata.generation'] };
      await api.post(cronJobs(api), cron(), generation);
      await api.patch(`${cronJobs(api)}/a`, { metadata: { annotations: { a: 'b' } } }, generation);
      await api.patch(`${cronJobs(api)}/a`, { spec: { schedule: '@yearly' } }, generation);
    },
    'returns CronJobs as a table': async (api) => {
      await api.post(cronJobs(api), cron({ timeZone: 'Etc/UTC' }), quiet);
      await compareCells(api, `${cronJobs(api)}/a`);
    },
  },
);
