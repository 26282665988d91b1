import type { Session } from 'node:inspector';
import type { Clock } from '@kubewright/api/clock';

/**
 * Records a CPU profile of this process for the given number of seconds. Returns the content of a `.cpuprofile` file, which Chrome DevTools
 * and editors can open.
 */
export async function cpuProfile(clock: Clock, seconds: number, signal: AbortSignal): Promise<string> {
  const session = await connected();
  try {
    await post(session, 'Profiler.enable');
    await post(session, 'Profiler.start');
    await clock.sleep(`${seconds}s`, signal);
    const { profile } = (await post(session, 'Profiler.stop')) as { profile: unknown };
    return JSON.stringify(profile);
  } finally {
    session.disconnect();
  }
}

/**
 * Records a heap profile of this process for the given number of seconds. The profile contains samples of allocations by call site. Returns
 * the content of a `.heapprofile` file.
 */
export async function heapProfile(clock: Clock, seconds: number, signal: AbortSignal): Promise<string> {
  const session = await connected();
  try {
    await post(session, 'HeapProfiler.enable');
    await post(session, 'HeapProfiler.startSampling');
    await clock.sleep(`${seconds}s`, signal);
    const { profile } = (await post(session, 'HeapProfiler.stopSampling')) as { profile: unknown };
    return JSON.stringify(profile);
  } finally {
    session.disconnect();
  }
}

/** Connects to the inspector of this process. Loads the inspector module only when needed, because most processes are never profiled. */
async function connected(): Promise<Session> {
  const { Session: InspectorSession } = await import('node:inspector');
  const session = new InspectorSession();
  session.connect();
  return session;
}
function post(session: Session, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    session.post(method, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}
