import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { ApiServer, type ApiServerOptions } from '@kubewright/apiserver';

/** A message to the parent process. */
export type ServerReport =
  | { readonly kind: 'ready'; readonly url: string; readonly certificateAuthority: string; readonly token: string }
  | { readonly kind: 'measuring' }
  | { readonly kind: 'heap'; readonly bytes: number; readonly externalBytes: number }
  | {
      readonly kind: 'measured';
      readonly longestMs: number;
      readonly calibrationMs: number;
      readonly externalBytes: number;
    };

const calibrationText = JSON.stringify(
  Array.from({ length: 20_000 }, (_, at) => ({ name: `name-${at}`, value: 'v'.repeat(100), at })),
);

let longestMs = 0;
let lastMs = 0;
let isMeasuring = false;
/** The largest memory outside of the heap at the end of a turn, in bytes. Buffers use such memory. */
let externalBytes = 0;

/** Runs in each turn of the event loop, and measures the time since the previous turn: the server served no other client in that time. */
function turn(): void {
  if (!isMeasuring) return;
  const nowMs = mainThreadMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
  externalBytes = Math.max(externalBytes, getHeapStatistics().external_memory);
  setImmediate(turn);
}

/**
 * Returns the processor time of the main thread in milliseconds, without other processes and the threads of the garbage collector. On
 * systems without `/proc`, returns the processor time of all threads of this process.
 */
function mainThreadMs(): number {
  try {
    const [ns = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ns) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** Returns the processor time of a fixed amount of work in milliseconds, which shows the current speed of the machine. */
function calibrationMs(): number {
  const runs = Array.from({ length: 5 }, () => {
    const startMs = mainThreadMs();
    JSON.stringify(JSON.parse(calibrationText));
    return mainThreadMs() - startMs;
  });
  return Math.min(...runs);
}

/** Returns the used heap after garbage collections. Turns of the event loop in between let streams release memory. */
async function heap(): Promise<{ readonly bytes: number; readonly externalBytes: number }> {
  for (let collection = 0; collection < 10; collection++) {
    await new Promise((resolve) => setImmediate(resolve));
    global.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return { bytes: heapUsed, externalBytes: external };
}

const report = (answer: ServerReport): void => void process.send?.(answer);
const server = await ApiServer.start(JSON.parse(process.argv[2] ?? '{}') as ApiServerOptions);
const { url, certificateAuthority, token } = server;
process.on('message', (message) => {
  if (message === 'heap') {
    void heap().then((found) => report({ kind: 'heap', ...found }));
    return;
  }
  if (message === 'measure') {
    global.gc?.();
    longestMs = 0;
    externalBytes = 0;
    lastMs = mainThreadMs();
    isMeasuring = true;
    setImmediate(turn);
    report({ kind: 'measuring' });
    return;
  }
  turn();
  isMeasuring = false;
  report({ kind: 'measured', longestMs, calibrationMs: calibrationMs(), externalBytes });
});
// A test that is killed does not stop its server.
process.on('disconnect', () => process.exit());
report({ kind: 'ready', url, certificateAuthority, token });
