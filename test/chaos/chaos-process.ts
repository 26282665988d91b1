// A process that runs its share of the schedules, and tells its parent of each.
import type { Share } from './chaos.js';
import { runSchedule } from './run-schedule.js';
import { scenarioOf } from './scenario.js';

process.once('message', (share: Share) => {
  void run(share).finally(() => process.disconnect());
});

async function run({ seeds, examples }: Share): Promise<void> {
  for (const seed of seeds) process.send?.(await runSchedule(scenarioOf(seed, examples), seed));
}
