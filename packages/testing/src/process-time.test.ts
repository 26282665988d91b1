import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTimeMs } from './process-time.js';

test('processTimeMs counts the time in which the process waits', async () => {
  const before = processTimeMs();
  const { user, system } = process.cpuUsage();
  // On a busy machine, the process can be ready to run for most of a wait.
  for (let waits = 0; waits < 100; waits++) {
    await sleep(20);
    const used = process.cpuUsage({ user, system });
    if (processTimeMs() - before - (used.user + used.system) / 1000 >= 150) return;
  }
  assert.fail(`${processTimeMs() - before} ms`);
});

test('processTimeMs counts the time in which the process computes', () => {
  const before = processTimeMs();
  const { user, system } = process.cpuUsage();
  for (;;) {
    const used = process.cpuUsage({ user, system });
    if (used.user + used.system >= 100_000) break;
  }
  assert.ok(processTimeMs() - before >= 100);
});

test('processTimeMs does not count the time in which a busy process is stopped', async () => {
  const program = `
    const { processTimeMs } = await import(${JSON.stringify(new URL('./process-time.js', import.meta.url).href)});
    const [startMs, before] = [performance.now(), processTimeMs()];
    process.once('message', () => {
      process.send({ realMs: performance.now() - startMs, processMs: processTimeMs() - before });
      process.exit();
    });
    const turn = () => setImmediate(turn);
    turn();
    process.send('started');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.kill('SIGSTOP');
  await sleep(1000);
  child.kill('SIGCONT');
  child.send('measure');
  const [{ realMs, processMs }] = (await once(child, 'message')) as [{ realMs: number; processMs: number }];
  assert.ok(realMs >= 1000, `${realMs} ms`);
  assert.ok(processMs <= realMs - 900, `${processMs} of ${realMs} ms`);
});
