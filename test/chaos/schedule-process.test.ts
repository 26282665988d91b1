import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ODD_SEEDS } from './odd-seeds.js';
import { ScheduleProcess } from './schedule-process.js';

const program = new URL('./odd-process.js', import.meta.url);
const examples = ['foo'];
/** Of the real time; those that are waited for in vain cannot be answered in any. */
const IN_VAIN_MS = 500;

for (const how of ['silent', 'blocked'] as const) {
  test(`a process that is ${how} is given up, and its schedule has failed`, async () => {
    await using worker = new ScheduleProcess({ program, silenceMs: IN_VAIN_MS });
    const { seed, scenario, unmet } = await worker.run({ seed: ODD_SEEDS[how], examples });
    assert.deepEqual({ seed, scenario }, { seed: ODD_SEEDS[how], scenario: 'foo' });
    assert.deepEqual(unmet, ['its process was blocked: it said nothing for 0.5 s']);
  });
}

test('a process that ends by itself fails its schedule, and another one runs the next', async () => {
  await using worker = new ScheduleProcess({ program });
  const { unmet } = await worker.run({ seed: ODD_SEEDS.ended, examples });
  assert.deepEqual(unmet, ['its process ended by itself, with code 3']);
  assert.deepEqual((await worker.run({ seed: 4, examples })).unmet, []);
});
