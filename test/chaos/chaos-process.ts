// A process that runs schedules for its parent: it is told of one, and answers with what that came to, until the parent disconnects.
import { runSchedule } from './run-schedule.js';
import { scenarioOf } from './scenarios.js';
import type { Task } from './schedule-process.js';

process.on('message', ({ seed, examples }: Task) => {
  void runSchedule(scenarioOf(seed, examples), seed).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit());
