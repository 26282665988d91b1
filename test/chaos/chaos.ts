import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { parseCrash } from './crash-point.js';
import type { Outcome } from './run-schedule.js';
import { operators, scenarioOf, scenarios } from './scenarios.js';
import { ScheduleProcess, type Task } from './schedule-process.js';

/** The parsed command line. */
interface ChaosOptions {
  readonly tasks: readonly Task[];
  /** Whether one real control plane replaces the embedded servers of the schedules. */
  readonly onControlPlane: boolean;
}

/**
 * Runs `--schedules N` schedules with consecutive seeds that start at `--seed S`. Each schedule runs the next example, unless `--example`
 * names one example for all schedules. `--crash` sets a crash by the name of its write, instead of the crashes of the seed. With `--each`, runs N schedules of each example. With `--control-plane`, runs the schedules on a
 * real control plane. Returns exit code 0 if all schedules passed, and 1 otherwise. The number of processes is one more than the number of
 * cores, because a process sometimes waits for delayed requests.
 */
export async function chaos(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args);
  if (parsed === undefined) {
    const names = scenarios.map(({ name }) => name).join(', ');
    process.stderr.write(
      `invalid options; usage: npm run chaos -- --schedules 100 --seed 1 --example foo, or --each; the examples are ${names}\n`,
    );
    return 1;
  }
  const { tasks, onControlPlane } = parsed;
  const startMs = performance.now();
  const outcomes = await (onControlPlane ? runOnControlPlane(tasks) : runInProcesses(tasks));
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  for (const { name } of scenarios) {
    const of = outcomes.filter(({ scenario }) => scenario === name);
    if (of.length > 0) process.stdout.write(`${name}: ${counted(of)}\n`);
  }
  process.stdout.write(`${counted(outcomes)}, in ${seconds} s\n`);
  const failed = outcomes.filter(({ unmet }) => unmet.length > 0).toSorted((a, b) => a.seed - b.seed);
  const where = onControlPlane ? '--control-plane ' : '';
  for (const { seed, scenario, crashedAt = [] } of failed) {
    const command = `npm run chaos -- ${where}--schedules 1 --seed ${seed} --example ${scenario}`;
    process.stdout.write(`to repeat: ${command}\n`);
    if (crashedAt.length === 0 || onControlPlane) continue;
    const crashes = crashedAt.map((crash) => ` --crash '${crash}'`).join('');
    process.stdout.write(`to repeat the crashes at the same writes after a change: ${command}${crashes}\n`);
  }
  return failed.length === 0 ? 0 : 1;
}

/** Parses the command line. Returns undefined if an option is invalid. */
function parseOptions(args: readonly string[]): ChaosOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      schedules: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      example: { type: 'string' },
      each: { type: 'boolean', default: false },
      'control-plane': { type: 'boolean', default: false },
      crash: { type: 'string', multiple: true },
    },
  });
  const { example, each, 'control-plane': onControlPlane, crash: crashes } = values;
  const [schedules, seed] = [Number(values.schedules), Number(values.seed)];
  const all = (onControlPlane ? operators : scenarios).map(({ name }) => name);
  const examples = example === undefined ? all : all.filter((name) => name === example);
  if (!Number.isInteger(schedules) || schedules < 1 || !Number.isInteger(seed) || examples.length === 0)
    return undefined;
  for (const crash of crashes ?? []) parseCrash(crash);
  const length = each ? schedules * examples.length : schedules;
  const task = { examples, ...(crashes !== undefined && { crashes }) };
  return { tasks: Array.from({ length }, (_, at) => ({ ...task, seed: seed + at })), onControlPlane };
}

async function runInProcesses(tasks: readonly Task[]): Promise<readonly Outcome[]> {
  const left = [...tasks];
  const runSome = async (): Promise<readonly Outcome[]> => {
    await using worker = new ScheduleProcess();
    return await runEach(left, (task) => worker.run(task));
  };
  const processes = Math.min(availableParallelism() + 1, tasks.length);
  return (await Promise.all(Array.from({ length: processes }, runSome))).flat();
}

/** Runs one example after the other, because some examples are cluster-scoped and cannot have their own namespace. */
async function runOnControlPlane(tasks: readonly Task[]): Promise<readonly Outcome[]> {
  const { ChaosCluster, concurrencyOf } = await import('../control-plane/chaos-cluster.js');
  const { clusterScenarios } = await import('../control-plane/cluster-scenarios.js');
  await using cluster = await ChaosCluster.start(clusterScenarios);
  const outcomes: Outcome[] = [];
  for (const scenario of clusterScenarios) {
    const left = tasks.filter(({ seed, examples }) => scenarioOf(seed, examples).name === scenario.name);
    const runSome = () => runEach(left, ({ seed }) => cluster.run(scenario, seed));
    outcomes.push(...(await Promise.all(Array.from({ length: concurrencyOf(scenario) }, runSome))).flat());
  }
  return outcomes;
}

/** Runs tasks until none are left. */
async function runEach(left: Task[], run: (task: Task) => Promise<Outcome>): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let task = left.shift(); task !== undefined; task = left.shift()) {
    const outcome = await run(task);
    outcomes.push(outcome);
    process.stdout.write(described(outcome));
  }
  return outcomes;
}

function counted(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ unmet }) => unmet.length > 0).length;
  return `${outcomes.length - failed} passed, ${failed} failed`;
}

function described({ seed, scenario, detail = [], unmet, injected, crashes, crashedAt = [] }: Outcome): string {
  const faults = `${injected.length} faults, ${crashes} crashes`;
  const failure = [...unmet, ...crashedAt.map((crash) => `crash ${crash}`), ...injected];
  const lines = unmet.length === 0 ? detail : [...detail, ...failure];
  const result = unmet.length === 0 ? 'converged' : 'FAILED';
  return `seed ${seed} ${scenario}: ${result} (${faults})\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
