import { type Clock, type Duration, durationMs, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { ManagerOptions } from './manager-options.js';

/** What holds where nothing is said. */
export const MANAGER_DEFAULTS = {
  gracePeriod: '30s',
  syncTimeout: '2m',
  signals: ['SIGINT', 'SIGTERM'],
} as const;

/** The options of a manager, complete and checked. */
export interface ResolvedManagerOptions {
  readonly clock: Clock;
  /** Undefined for no limit. */
  readonly syncTimeoutMs: number | undefined;
  /** Undefined for no limit. */
  readonly gracePeriodMs: number | undefined;
  readonly signals: readonly NodeJS.Signals[] | false;
  readonly implicitInformers: boolean;
}

/** Fills in defaults. Throws INVALID_MANAGER, naming the option and what to write. */
export function resolveManagerOptions(options: ManagerOptions): ResolvedManagerOptions {
  const { clock = new SystemClock(), signals = MANAGER_DEFAULTS.signals, namespaces } = options;
  if (signals !== false && !Array.isArray(signals)) {
    throw invalid('signals', signals, "write false, or a list such as ['SIGTERM']");
  }
  if (namespaces?.some((namespace) => namespace === '')) {
    throw invalid('namespaces', namespaces, 'a namespace has no name; leave the option out for all namespaces');
  }
  return {
    clock,
    syncTimeoutMs: limitMs('syncTimeout', options.syncTimeout ?? MANAGER_DEFAULTS.syncTimeout),
    gracePeriodMs: limitMs('gracePeriod', options.gracePeriod ?? MANAGER_DEFAULTS.gracePeriod),
    signals,
    implicitInformers: options.implicitInformers === true,
  };
}

function limitMs(option: string, limit: Duration | false): number | undefined {
  if (limit === false) return undefined;
  try {
    return durationMs(limit);
  } catch (error) {
    throw invalid(option, limit, "write a duration such as '30s', or false for no limit", error);
  }
}
function invalid(option: string, value: unknown, cure: string, cause?: unknown): KubewrightError {
  return new KubewrightError(
    'INVALID_MANAGER',
    `cannot make a manager: ${option} is ${JSON.stringify(value)}: ${cure}`,
    cause === undefined ? undefined : { cause },
  );
}
