import { AsyncLocalStorage } from 'node:async_hooks';

/** Throws if writes are not allowed at this moment. Called for each attempt of a write, immediately before its bytes are sent. */
export type WriteFence = () => void;

const running = new AsyncLocalStorage<WriteFence | undefined>();

/**
 * Runs the work so that every write of the work passes the fence, with any client. The fence also applies after the work has returned,
 * because timers and promises of the work keep the fence. Undefined runs the work without a fence, even if the caller has a fence.
 */
export function withFence<R>(fence: WriteFence | undefined, work: () => R): R {
  return running.run(fence, work);
}

/** Returns the fence of the calling work; undefined if the work has none. */
export function currentFence(): WriteFence | undefined {
  return running.getStore();
}

/** Combines two fences into one that passes only if both do. */
export function bothFences(a: WriteFence | undefined, b: WriteFence | undefined): WriteFence | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return () => {
    a();
    b();
  };
}
