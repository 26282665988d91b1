// A process that receives schedules and fails in the way that the seed names; with other seeds it returns a passed schedule.
import { FAILING_SEEDS } from './failing-seeds.js';
import type { Outcome } from './run-schedule.js';
import type { Task } from './schedule-process.js';

process.on('message', ({ seed }: Task) => {
  if (seed === FAILING_SEEDS.silent) return;
  if (seed === FAILING_SEEDS.ended) process.exit(3);
  while (seed === FAILING_SEEDS.blocked);
  process.send?.({ seed, scenario: 'odd', unmet: [], injected: [], crashes: 0 } satisfies Outcome);
});
process.on('disconnect', () => process.exit());
