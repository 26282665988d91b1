import { CronJob } from '@kubewright/example-cron-job';
import type { Scenario } from '../chaos/scenario.js';
import { operators } from '../chaos/scenarios.js';

/** The scenarios for a real control plane, which runs on the real clock. */
export const clusterScenarios: readonly Scenario[] = operators.map((scenario) =>
  scenario.name === 'cron-job' ? { ...scenario, samples: scenario.samples.map(often) } : scenario,
);

/** Returns the CronJob with a schedule that starts a Job every 5 s: several times in a test, with idle time between the Jobs. */
function often(sample: Scenario['samples'][number]): CronJob {
  const { metadata, spec } = sample as CronJob;
  return new CronJob({ metadata, spec: { ...spec, schedule: '@every 5s' } });
}
