import { CronJob } from '@kubewright/example-cron-job';
import type { Scenario } from '../chaos/scenario.js';
import { operators } from '../chaos/scenarios.js';

/** The scenarios that are run on a real control plane, where time passes by itself. */
export const clusterScenarios: readonly Scenario[] = operators.map((scenario) =>
  scenario.name === 'cron-job' ? { ...scenario, samples: scenario.samples.map(often) } : scenario,
);

/** With runs while a schedule lasts, and rest between them. */
function often(sample: Scenario['samples'][number]): CronJob {
  const { metadata, spec } = sample as CronJob;
  return new CronJob({ metadata, spec: { ...spec, schedule: '*/5 * * * * *' } });
}
