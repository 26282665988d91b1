import type { Session } from 'node:inspector';
import type { Clock } from '@kubewright/api/clock';

/**
 * Records a CPU profile of this process for the given duration in seconds. Returns the text of a `.cpuprofile`, which the developer tools
 * of Chrome and editors open.
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
 * Records a sampled heap profile of this process, by allocation site, for the given duration in seconds. Returns the text of a
 * `.heapprofile`.
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

/** Loads the inspector on demand, because few processes are profiled. */
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
