import { type Duration, durationMs } from '@kubewright/api/clock';
import type { ContainerBehaviour } from './pod-behaviour.js';

/** What a container does, with all defaults applied. */
export interface ContainerPlan {
  /** Whether an annotation, an option or a call of `behave` states what the container does. */
  readonly isStated: boolean;
  /** Returns the exit code of a run, or undefined if the run does not end. The first run has the number 0. */
  readonly exitCode: (run: number) => number | undefined;
  readonly runForMs: number;
  readonly exitReason: string | undefined;
  readonly exitMessage: string | undefined;
  /** Returns the time between the exit of a run and the next run. */
  readonly restartAfterMs: (run: number) => number;
  readonly waiting: string | undefined;
  readonly startAfterMs: number;
  /** Infinity means never, as in the following fields. */
  readonly startedAfterMs: number;
  readonly readyAfterMs: number;
  readonly livenessFailsAfterMs: number;
  readonly stopAfterMs: number;
  /** Returns the log of a run. */
  readonly log: (run: number) => string;
}

const firstBackOffMs = 10_000;
const longestBackOffMs = 300_000;
/** The shortest time between two runs of a container that restarts without end. */
const shortestRestartMs = 1000;

/**
 * Returns the plan of a container.
 * @param stated the behaviors that apply to the container, in ascending order of precedence
 * @param byDefault the exit code of a container whose behaviors do not state one; undefined for a container that keeps running
 */
export function containerPlan(stated: readonly ContainerBehaviour[], byDefault: number | undefined): ContainerPlan {
  const known: Record<string, unknown> = {};
  for (const behaviour of stated) {
    for (const [name, value] of Object.entries(behaviour)) if (value !== undefined) known[name] = value;
  }
  const { exitCode = byDefault ?? 'none', logs = '', ...rest }: ContainerBehaviour = known;
  const codes = Array.isArray(exitCode) ? (exitCode as readonly number[]) : undefined;
  const leastMs = codes === undefined ? shortestRestartMs : 0;
  const texts = typeof logs === 'string' ? [logs] : logs;
  return {
    isStated: Object.keys(known).length > 0,
    exitCode: (run) => (codes === undefined ? (exitCode === 'none' ? undefined : (exitCode as number)) : codes[run]),
    runForMs: timeMs(rest.runFor, 0),
    exitReason: rest.exitReason,
    exitMessage: rest.exitMessage,
    restartAfterMs: (run) =>
      rest.restartAfter === undefined ? backOffMs(run) : Math.max(leastMs, durationMs(rest.restartAfter)),
    waiting: rest.waiting === 'none' ? undefined : rest.waiting,
    startAfterMs: timeMs(rest.startAfter, 0),
    startedAfterMs: timeMs(rest.startedAfter, 0),
    readyAfterMs: timeMs(rest.readyAfter, 0),
    livenessFailsAfterMs: timeMs(rest.livenessFailsAfter, Number.POSITIVE_INFINITY),
    stopAfterMs: timeMs(rest.stopAfter, 0),
    log: (run) => texts[Math.min(run, texts.length - 1)] ?? '',
  };
}

/** Returns the back-off of the kubelet after a run: none after the first run, then 10 s, doubled after each run, up to 300 s. */
function backOffMs(run: number): number {
  return run === 0 ? 0 : Math.min(firstBackOffMs * 2 ** (run - 1), longestBackOffMs);
}

function timeMs(duration: Duration | 'never' | undefined, byDefault: number): number {
  if (duration === undefined) return byDefault;
  return duration === 'never' ? Number.POSITIVE_INFINITY : durationMs(duration);
}
