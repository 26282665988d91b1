import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalError } from '@kubewright/api/errors';
import fc from 'fast-check';
import { Disk, disk, machine, setUp } from '../test-support/controller-bench.js';
import { refusal } from '../test-support/object-table.js';
import { PAUSED_ANNOTATION } from './reconciler/pause.js';
import { Result } from './reconciler/result.js';

const EVERY_MS = 60_000;
/** The possible outcomes of a run. `againMs` is the delay until the next run that the outcome requests, in milliseconds. */
const endings = {
  done: { act: () => Result.done(), againMs: undefined },
  soon: { act: () => Result.requeueAfter('20s'), againMs: 20_000 },
  late: { act: () => Result.requeueAfter('1h'), againMs: 3_600_000 },
  backOff: { act: () => Result.requeue(), againMs: undefined },
  error: { act: () => fail(new Error('failed')), againMs: undefined },
  terminal: { act: () => fail(new TerminalError('never')), againMs: undefined },
  conflict: { act: () => fail(refusal(409, 'Conflict')), againMs: undefined },
} as const;
function fail(error: unknown): never {
  throw error;
}

const ending = fc.constantFrom(...(Object.keys(endings) as (keyof typeof endings)[]));
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('change', 'child', 'enqueue', 'pause', 'resume') }),
  fc.record({ do: fc.constant('wait'), ms: fc.integer({ min: 1, max: 45_000 }) }),
);

test('property: an object is reconciled no later than `every` or its latest result requires, for any sequence of events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ending, { minLength: 1, maxLength: 12 }),
      fc.array(step, { maxLength: 25 }),
      async (ends, steps) => {
        let runs = 0;
        let dueMs = Number.POSITIVE_INFINITY;
        const bench = await setUp(
          async () => {
            const next = endings[ends[runs++ % ends.length] ?? 'done'];
            dueMs = bench.clock.monotonicMs() + Math.min(EVERY_MS, next.againMs ?? EVERY_MS);
            return next.act();
          },
          { every: '1m', owns: [Disk], reconcileCondition: false },
        );
        const { machines, disks, clock, settle, advance, runner } = bench;
        const { uid } = machines.put(machine('a')).metadata;
        const owner = { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', controller: true, uid };
        let isPaused = false;
        const change = (spec: string, annotations: Record<string, string>): void =>
          void machines.put(machine('a', { image: spec }, { annotations }));
        const check = (): void =>
          assert.ok(isPaused || clock.monotonicMs() <= dueMs, `${clock.monotonicMs()} > ${dueMs}`);
        await settle();
        for (const [at, each] of steps.entries()) {
          if (each.do === 'wait' && 'ms' in each) {
            const until = clock.monotonicMs() + each.ms;
            while (clock.monotonicMs() < until) {
              const next = Math.min(until - clock.monotonicMs(), clock.pendingMs[0] ?? Number.POSITIVE_INFINITY);
              await advance(Math.max(1, next));
              check();
            }
          } else if (each.do === 'child') disks.put(disk('d', { ownerReferences: [owner], labels: { at: `${at}` } }));
          else if (each.do === 'enqueue') runner.enqueue({ namespace: 'default', name: 'a' });
          else {
            isPaused = each.do === 'pause' || (each.do === 'change' && isPaused);
            change(`${at}`, isPaused ? { [PAUSED_ANNOTATION]: 'true' } : {});
          }
          await settle();
          check();
        }
        await runner.stop();
      },
    ),
    { numRuns: 80 },
  );
});

test('the latest result replaces the requeue of earlier results', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('soon' as const, 'late' as const, 'done' as const), { minLength: 2, maxLength: 6 }),
      async (ends) => {
        let runs = 0;
        const bench = await setUp(async () => endings[ends[Math.min(runs++, ends.length - 1)] ?? 'done'].act(), {
          reconcileCondition: false,
        });
        const { machines, settle, clock, runner } = bench;
        for (const at of ends.keys()) {
          machines.put(machine('a', { image: `${at}` }));
          await settle();
        }
        const last = endings[ends.at(-1) ?? 'done'].againMs;
        assert.deepEqual(clock.pendingMs, last === undefined ? [] : [last]);
        await runner.stop();
      },
    ),
    { numRuns: 40 },
  );
});
