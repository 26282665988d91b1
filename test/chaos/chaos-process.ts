// Runs schedules for its parent process: receives a task, sends the outcome, and ends when the parent disconnects.
import { runSchedule } from './run-schedule.js';
import { scenarioOf } from './scenarios.js';
import type { Task } from './schedule-process.js';

process.on('message', ({ seed, examples, crashes }: Task) => {
  void runSchedule(scenarioOf(seed, examples), seed, { crashes }).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit());
