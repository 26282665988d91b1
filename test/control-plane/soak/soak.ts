import { NetworkProxy, TestEnvironment } from '@kubewright/testing';
import { Gadget } from './gadget.js';
import { GadgetUsers } from './gadget-users.js';
import { SoakOperator } from './operator.js';
import type { Sample } from './sample.js';

/** The parameters of a soak test. */
export interface SoakOptions {
  readonly minutes: number;
  /** @default 2000 */
  readonly objects?: number;
  /** @default 1 */
  readonly seed?: number;
  /** Receives progress messages, line by line. */
  readonly onLine?: (line: string) => void;
}

/** The result of a soak test. */
export interface SoakReport {
  /** Differences from the desired state at the end, one sentence each. Empty if all objects have converged. */
  readonly unmet: readonly string[];
  readonly samples: readonly Sample[];
  /** Number of writes of the users after the first convergence. */
  readonly writes: number;
  /** Number of reconciles after the first convergence. */
  readonly runs: number;
  readonly faults: readonly string[];
}

const FAULT_EVERY_MS = 20_000;
const SAMPLE_EVERY_MS = 5000;
/** Interval between two actions of the users in milliseconds. */
const ACTION_EVERY_MS = 25;
/** The minimum number of faults in two minutes. The sixth fault may start too late. */
const LEAST_FAULTS = 5;
const SETTLE_LIMIT_MS = 180_000;
const MB = 2 ** 20;

/**
 * Runs a soak test on a real control plane: users continuously create, change, and delete many objects, and a fault occurs every 20 s. An
 * operator in its own process reconciles the objects.
 */
export async function soak({
  minutes,
  objects = 2000,
  seed = 1,
  onLine = () => undefined,
}: SoakOptions): Promise<SoakReport> {
  await using env = await TestEnvironment.start({ server: 'control-plane', kinds: [Gadget] });
  await using network = await NetworkProxy.open(env.connection);
  await using users = new GadgetUsers(env, { objects, seed });
  await using operator = await SoakOperator.start(network.connection);
  await users.createAll();
  await converge(users);
  const { runs: firstRuns } = await operator.sample();
  const writesBefore = users.writes;
  onLine(`${objects} objects have converged after ${firstRuns} reconciles`);

  const samples: Sample[] = [];
  const faults: string[] = [];
  const endMs = performance.now() + minutes * 60_000;
  const sampling = every(SAMPLE_EVERY_MS, endMs, async () => {
    const sample = await operator.sample();
    samples.push(sample);
    onLine(
      `${(sample.heapBytes / MB).toFixed(1)} MB, ${sample.runs} reconciles, ${sample.errors} errors, ${users.writes} writes`,
    );
  });
  const disruptions = disruptionsOf(env, network);
  const failing = every(FAULT_EVERY_MS, endMs, async () => {
    const [name, disrupt] = disruptions[faults.length % disruptions.length] as (typeof disruptions)[number];
    faults.push(name);
    onLine(`fault: ${name}`);
    await disrupt();
  });
  const working = every(ACTION_EVERY_MS, endMs, () => users.act().catch(() => undefined));
  await Promise.all([sampling, failing, working]);

  const unmet = await converge(users);
  const last = await operator.sample();
  samples.push(last);
  return { unmet, samples, writes: users.writes - writesBefore, runs: last.runs - firstRuns, faults };
}

/**
 * Returns the failures of a soak test, one sentence each: differences from the desired state, too few faults, heap growth, too many
 * reconciles.
 */
export function failuresOf({ unmet, samples, writes, runs, faults }: SoakReport): readonly string[] {
  const { middleBytes, lastBytes } = heapGrowth(samples);
  return [
    ...unmet,
    ...(faults.length < LEAST_FAULTS ? [`there were only ${faults.length} faults`] : []),
    ...(lastBytes < middleBytes * 1.1 + 2 * MB ? [] : [`the heap grew from ${middleBytes} to ${lastBytes} bytes`]),
    ...(writes > 0 && runs < 3 * writes ? [] : [`there were ${runs} reconciles for ${writes} writes`]),
  ];
}

/** Returns the result of a soak test in one line. */
export function summaryOf({ samples, writes, runs, faults }: SoakReport): string {
  const { middleBytes, lastBytes } = heapGrowth(samples);
  const [middle, last] = [middleBytes, lastBytes].map((bytes) => `${(bytes / MB).toFixed(1)} MB`);
  return `${writes} writes, ${runs} reconciles, ${faults.length} faults; heap ${middle} in the middle third, ${last} in the last`;
}

/** Returns the median heap of the middle third and of the last third of the samples. */
function heapGrowth(samples: readonly Sample[]): { readonly middleBytes: number; readonly lastBytes: number } {
  const third = Math.floor(samples.length / 3);
  return { middleBytes: median(samples.slice(third, 2 * third)), lastBytes: median(samples.slice(2 * third)) };
}

function median(samples: readonly Sample[]): number {
  const sorted = samples.map(({ heapBytes }) => heapBytes).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Returns the faults in the order in which the soak test injects the faults. */
function disruptionsOf(
  env: TestEnvironment,
  network: NetworkProxy,
): readonly (readonly [name: string, disrupt: () => Promise<void> | void])[] {
  return [
    ['every connection is cut', () => network.cut()],
    [
      'kube-apiserver is killed',
      async () => {
        await env.controlPlane.killApiServer();
        await env.controlPlane.restartApiServer();
      },
    ],
    [
      'the network delivers no data for five seconds',
      async () => {
        network.partition();
        await pause(5000);
        network.heal();
      },
    ],
    ['every connection is half closed', () => network.halfClose()],
    [
      'the history is compacted, and every connection is cut',
      async () => {
        await env.controlPlane.compact();
        network.cut();
      },
    ],
    ['the network becomes slow', () => network.behave({ delayMs: 20, bytesPerSecond: 2_000_000 })],
    ['the network becomes fast again, and every connection is cut', () => (network.behave({}), network.cut())],
    [
      'the serving certificate is rotated, and every connection is cut',
      async () => {
        await env.controlPlane.files.rotateServingCertificate();
        network.cut();
      },
    ],
  ];
}

/** Waits until no difference from the desired state is left, and returns an empty list. After the time limit, returns the differences. */
async function converge(users: GadgetUsers): Promise<readonly string[]> {
  const endMs = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const unmet = await users.unmet().catch((error: unknown) => [`the server does not answer: ${String(error)}`]);
    if (unmet.length === 0 || performance.now() > endMs) return unmet.slice(0, 20);
    await pause(250);
  }
}

/** Calls `act` repeatedly at the given interval until `endMs`, one call at a time. */
async function every(ms: number, endMs: number, act: () => Promise<void>): Promise<void> {
  for (let next = performance.now() + ms; next < endMs; next = Math.max(next + ms, performance.now())) {
    await pause(next - performance.now());
    await act();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
