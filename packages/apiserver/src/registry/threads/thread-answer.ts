import { once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { failure } from '../requests/status-errors.js';
import { workerSlots } from './worker-slots.js';

/** The default time limit of a thread, in milliseconds. */
const defaultMostMs = 30_000;

/** Work to run in a new worker thread. */
export interface ThreadWork {
  /** The program of the thread. The program posts one message. */
  readonly program: URL;
  readonly workerData: unknown;
  readonly resourceLimits: ResourceLimits & { readonly maxOldGenerationSizeMb: number };
  /** Returns the error for work that exceeds the memory limit. */
  readonly outOfMemory: (mostMegabytes: number, cause: unknown) => Error;
  /** The time limit in milliseconds. @default 30,000 */
  readonly mostMs?: number | undefined;
  /** Returns whether no caller waits for the result any more. In this case, the work does not start. @default always false */
  readonly isAbandoned?: (() => boolean) | undefined;
}

/**
 * Runs work in a thread and returns the message of the thread. The server serves other requests in the meantime. At most two threads work
 * at the same time. Other work waits in a queue. Rejects with 429 if the queue is full, and with 504 if the work takes longer than
 * `mostMs`. Rejects with the error of `outOfMemory` if the work exceeds the memory limit. Also rejects with other errors of the thread, and
 * if no caller waits for the result any more.
 */
export function threadAnswer<T>(work: ThreadWork): Promise<T> {
  return workerSlots.run(() => messageOf<T>(work), work.isAbandoned ?? (() => false));
}

async function messageOf<T>(work: ThreadWork): Promise<T> {
  const { program, workerData, resourceLimits, mostMs = defaultMostMs, outOfMemory } = work;
  const worker = new Worker(program, { workerData, resourceLimits, execArgv: [] });
  const timeout = AbortSignal.timeout(mostMs);
  try {
    const [message] = (await once(worker, 'message', { signal: timeout })) as [T];
    return message;
  } catch (error) {
    if (timeout.aborted) throw timedOut();
    const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isOutOfMemory ? outOfMemory(resourceLimits.maxOldGenerationSizeMb, error) : error;
  } finally {
    await worker.terminate();
  }
}

function timedOut(): Error {
  const message = 'Timeout: request did not complete within the requested timeout - context deadline exceeded';
  return failure(504, 'Timeout', { message, details: {} });
}
