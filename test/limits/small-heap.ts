import assert from 'node:assert/strict';
import type { LimitRequest } from './limit-case.js';
import { MeasuredServer } from './measured-server.js';

const MB = 1024 * 1024;
/** The memory in MB that a request may use in addition to its body. */
export const requestMB = 64;
/** Size of the largest body in MB. */
const bodyMB = 3;
/** The share of `requestMB` outside of the V8 heap, for buffers. Node.js 24 also stores long strings outside of the heap. */
const externalMB = Number.parseInt(process.versions.node, 10) >= 24 ? 18 : 14;
const heapMB = requestMB - externalMB;
/** Upper limit for the memory of a request outside of the V8 heap, in bytes. */
export const mostExternalBytes = (externalMB + bodyMB) * MB;
/** Size of the young generation of the heap in MB, which does not count towards `--max-old-space-size`. */
const newSpaceMB = 6;
const semiSpaceMB = newSpaceMB / 3;
/** The smallest event log that the server accepts. A larger log would keep deleted objects in memory. */
const eventLogSize = 1;
/** In a small heap, the seeds exceed the default storage quota of the server. The limit of the heap still applies. */
const storageQuotaBytes = 1024 * MB;

const startMBs = new WeakMap<readonly LimitRequest[], Promise<number>>();

/** Returns the size of the heap of a prepared server in MB. Starts one server for each preparation. */
function startMBOf(preparation: readonly LimitRequest[]): Promise<number> {
  const known = startMBs.get(preparation);
  if (known !== undefined) return known;
  const measured = measureStartMB(preparation);
  startMBs.set(preparation, measured);
  return measured;
}

async function measureStartMB(preparation: readonly LimitRequest[]): Promise<number> {
  await using server = await start(preparation, []);
  return Math.ceil((await server.heapBytes()) / MB);
}

/**
 * Starts a prepared server whose heap can only grow by the memory of one request. V8 ends a process that exceeds this limit. By default, V8
 * also ends a process that has used four fifths of its heap and spends most of its time on garbage collection. This depends on the speed of
 * the machine, so a flag turns it off.
 */
export async function startSmallHeap(preparation: readonly LimitRequest[]): Promise<MeasuredServer> {
  const sizeMB = (await startMBOf(preparation)) + heapMB;
  return start(preparation, [
    `--max-old-space-size=${sizeMB - newSpaceMB}`,
    '--no-detect-ineffective-gcs-near-heap-limit',
  ]);
}

async function start(preparation: readonly LimitRequest[], flags: readonly string[]): Promise<MeasuredServer> {
  const server = await MeasuredServer.start({
    flags: [...flags, `--max-semi-space-size=${semiSpaceMB}`],
    calibratedFromMs: Number.MAX_VALUE,
    eventLogSize,
    storageQuotaBytes,
  });
  try {
    for (const request of preparation) {
      const { status, text } = await server.send(request);
      assert.equal(status, 201, `${request.method} ${request.path}: ${text.slice(0, 300)}`);
    }
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}
