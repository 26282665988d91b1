import { request } from 'node:http';
import type { AssignedWork, Figures } from './work.js';

export const work = JSON.parse(process.argv[2] ?? '') as AssignedWork;
/** The token of the connections. The load server accepts any token. */
export const connection = { server: work.server, ca: work.ca, token: 'bench' };

/** Returns the user and system time of this process in microseconds. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
/** Returns the resident memory of this process, or its maximum so far, in megabytes. */
export function residentMegabytes(): number {
  return process.memoryUsage().rss / 1e6;
}
export function peakMegabytes(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}
/** Returns the size of the live heap in bytes. */
export function heapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
export function sleep(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

/** The time after which a count that does not change means a hang. Handlers receive the first list only when the list is complete. */
const HANG_MS = 5 * 60_000;

/** Waits until a count has reached a value. Throws an error if the count has not changed for five minutes. */
export async function untilCount(count: () => number, target: number): Promise<void> {
  let [last, since] = [-1, performance.now()];
  for (let now = count(); now < target; now = count()) {
    if (now !== last) [last, since] = [now, performance.now()];
    else if (performance.now() - since > HANG_MS) throw new Error(`the count has stopped at ${now} of ${target}`);
    await sleep(2);
  }
}

/** Waits until a count has not changed for 200 ms. */
export async function untilQuiet(count: () => number): Promise<void> {
  for (let last = -1, now = count(); now !== last; now = count()) {
    last = now;
    await sleep(200);
  }
}

/** Sends a command to the load server. Returns the number of watches of the kind. */
function control(command: string, parameters: Readonly<Record<string, string | number>>): Promise<number> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false } as const;
    const sent = request(`${work.control}/${command}?${query}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve((JSON.parse(text) as { readonly watchers: number }).watchers));
    });
    sent.on('error', reject).end();
  });
}

/** Waits until the load server has an open watch for each watch of this process. */
export async function untilWatched(): Promise<void> {
  while ((await control('watchers', { kind: work.kind ?? '' })) === 0) await sleep(10);
}
/** Sends events to the watches of this process. Resolves when the last event is sent. */
export async function pushEvents(count: number, rate?: number): Promise<void> {
  const { kind = '', objects = 0 } = work;
  await control('push', { kind, count, among: objects, ...(rate !== undefined && { rate }) });
}

/** Measures the CPU time per item in microseconds. */
export async function microsEach(count: number, pass: () => Promise<unknown>): Promise<number> {
  const begun = cpuMicros();
  await pass();
  return (cpuMicros() - begun) / count;
}
/** Runs a step for each index. Each of the given number of hands runs its steps one after the other. */
export async function byHands(hands: number, count: number, step: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const hand = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await step(index);
  };
  await Promise.all(Array.from({ length: hands }, hand));
}
/** Returns the value below which the given share of the sorted values lie. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Prints the figures of this process for the runner, and ends the process. */
export function report(figures: Figures): never {
  process.stdout.write(`${JSON.stringify({ figures })}\n`);
  process.exit(0);
}
