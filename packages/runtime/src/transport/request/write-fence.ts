import { AsyncVariable } from '../../context/async-variable.js';

/** Throws an error if a write is not allowed now. Called for each attempt of a write, immediately before the write is sent. */
export type WriteFence = () => void;

const running = new AsyncVariable<WriteFence | undefined>();

/**
 * Calls `work` so that the fence checks all writes within this call, regardless of the client that sends them. The fence also applies to
 * timers and promises that `work` starts. If `fence` is undefined, no fence checks the writes, even if the caller has a fence.
 */
export function withFence<R>(fence: WriteFence | undefined, work: () => R): R {
  return running.run(fence, work);
}

/** Returns the fence of the current call. Returns undefined if there is none. */
export function currentFence(): WriteFence | undefined {
  return running.get();
}

/**
 * Returns a fence that allows a write only if both fences allow it. If only one fence is defined, returns this fence. Returns undefined if
 * both are undefined.
 */
export function bothFences(a: WriteFence | undefined, b: WriteFence | undefined): WriteFence | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return () => {
    a();
    b();
  };
}
