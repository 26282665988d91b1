import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILING_SEEDS } from './failing-seeds.js';
import { ScheduleProcess } from './schedule-process.js';

const program = new URL('./failing-process.js', import.meta.url);
const examples = ['foo'];
/** Time limit of a silent process, in milliseconds of real time. The limit can be short, because these processes never answer. */
const SILENCE_MS = 500;

for (const how of ['silent', 'blocked'] as const) {
  test(`ScheduleProcess reports the schedule of a process that is ${how} as failed`, async () => {
    await using worker = new ScheduleProcess({ program, silenceMs: SILENCE_MS });
    const { seed, scenario, unmet } = await worker.run({ seed: FAILING_SEEDS[how], examples });
    assert.deepEqual({ seed, scenario }, { seed: FAILING_SEEDS[how], scenario: 'foo' });
    assert.deepEqual(unmet, ['the process of the schedule was blocked: no message for 0.5 s']);
  });
}

test('ScheduleProcess reports the schedule of a process that ends by itself as failed, and runs the next schedule in a new process', async () => {
  await using worker = new ScheduleProcess({ program });
  const { unmet } = await worker.run({ seed: FAILING_SEEDS.ended, examples });
  assert.deepEqual(unmet, ['the process of the schedule ended with code 3']);
  assert.deepEqual((await worker.run({ seed: 4, examples })).unmet, []);
});
