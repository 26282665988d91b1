import { getHeapStatistics } from 'node:v8';
import { resourceLimits } from 'node:worker_threads';

const MiB = 1024 * 1024;
const FLAG = /^--max[-_]old[-_]space[-_]size=(\d+)$/;

/**
 * Returns the maximum number of bytes that long-lived objects can take in the heap of this thread: the value of `--max-old-space-size`, or
 * otherwise the resource limit of the thread, but at most V8's `heap_size_limit`. Without a flag and a resource limit, returns
 * `heap_size_limit`. This value also contains the space for new objects: 48 MiB in Node.js 20 and 22, and 192 MiB in Node.js 24, even if a
 * flag or a resource limit sets a small heap.
 */
export function oldSpaceBytes(
  heapSizeLimit = getHeapStatistics().heap_size_limit,
  flags: readonly string[] = [...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/), ...process.execArgv],
  threadLimitMb = resourceLimits.maxOldGenerationSizeMb,
): number {
  // The flags of the command line come last and override NODE_OPTIONS.
  const flag = flags.findLast((each) => FLAG.test(each));
  const limitMb = flag === undefined ? threadLimitMb : Number(FLAG.exec(flag)?.[1]);
  return limitMb === undefined || limitMb <= 0 ? heapSizeLimit : Math.min(heapSizeLimit, limitMb * MiB);
}
