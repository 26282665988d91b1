import { getHeapStatistics } from 'node:v8';
import { ApiServer, type ApiServerOptions } from '@kubewright/apiserver';
import { calibrationMs, mainThreadMs } from './calibration.js';

/** The argument of the process. */
export interface MeasuredProcessOptions extends ApiServerOptions {
  /** The process measures the calibration only if the longest time exceeds this number of milliseconds. */
  readonly calibratedFromMs: number;
}

/** A message to the parent process. */
export type ServerReport =
  | { readonly kind: 'ready'; readonly url: string; readonly certificateAuthority: string; readonly token: string }
  | { readonly kind: 'measuring' }
  | { readonly kind: 'heap'; readonly bytes: number; readonly externalBytes: number }
  | {
      readonly kind: 'measured';
      readonly longestMs: number;
      readonly calibrationMs?: number;
      readonly externalBytes: number;
    };

let longestMs = 0;
let lastMs = 0;
let isMeasuring = false;
/** The largest memory outside of the heap at the end of a turn, in bytes. Buffers use such memory. */
let externalBytes = 0;

/**
 * Runs in each turn of the event loop, and measures the time since the previous turn: the server served no other client in that time. The
 * immediate is not referenced, so that the event loop still waits while it has no work. Otherwise, the main thread would take a processor
 * that the worker threads of the server need.
 */
function turn(): void {
  if (!isMeasuring) return;
  const nowMs = mainThreadMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
  externalBytes = Math.max(externalBytes, getHeapStatistics().external_memory);
  setImmediate(turn).unref();
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
const { calibratedFromMs, ...options } = JSON.parse(process.argv[2] ?? '{}') as MeasuredProcessOptions;
const server = await ApiServer.start(options);
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
    setImmediate(turn).unref();
    report({ kind: 'measuring' });
    return;
  }
  turn();
  isMeasuring = false;
  const calibration = longestMs > calibratedFromMs ? { calibrationMs: calibrationMs() } : {};
  report({ kind: 'measured', longestMs, ...calibration, externalBytes });
});
// A test that is killed does not stop its server.
process.on('disconnect', () => process.exit());
report({ kind: 'ready', url, certificateAuthority, token });
