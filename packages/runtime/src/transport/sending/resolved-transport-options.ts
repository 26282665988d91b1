import { arch, platform } from 'node:os';
import { type Clock, type Duration, durationMs, SystemClock } from '@kubewright/api/clock';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import type { Logger } from '../../log/logger.js';
import type { ClientMetrics } from '../../metrics/client-metrics.js';
import { MeasuredRequests } from '../observation/measured-requests.js';
import type { TransportOptions } from '../request/request-options.js';
import type { RequestLimit } from '../request/request-limit.js';
import type { TransportObserver } from '../request/transport-observer.js';
import { type WarningHandler, WarningLog } from '../request/warnings.js';

const VERSION = '0.1.0';

/** The options of a transport with defaults applied. */
export interface ResolvedTransportOptions {
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  readonly userAgent: string;
  readonly maxConnections: number;
  readonly requestLimit: RequestLimit | undefined;
  readonly requestTimeoutMs: number | undefined;
  readonly silenceMs: number;
  readonly onWarning: WarningHandler | undefined;
  readonly observers: readonly TransportObserver[];
}

/** Validates the options and applies defaults. Throws INVALID_OPTION and INVALID_DURATION for invalid values. */
export function resolveTransportOptions(options: TransportOptions, metrics?: ClientMetrics): ResolvedTransportOptions {
  const { logger, maxConnections = 32, requestTimeout, silenceTimeout = '75s' } = options;
  if (!Number.isInteger(maxConnections) || maxConnections < 1)
    throw invalid('maxConnections', maxConnections, 'a positive integer');
  return {
    clock: options.clock ?? new SystemClock(),
    logger,
    userAgent: options.userAgent ?? `kubewright/${VERSION} (${platform()}/${arch()})`,
    maxConnections,
    requestLimit: options.requestLimit,
    requestTimeoutMs: requestTimeout === undefined ? undefined : positive('requestTimeout', requestTimeout),
    silenceMs: positive('silenceTimeout', silenceTimeout),
    onWarning: warningHandler(options),
    observers: [...(metrics === undefined ? [] : [new MeasuredRequests(metrics)]), ...(options.observers ?? [])],
  };
}

/**
 * Returns a duration in milliseconds. Throws INVALID_DURATION if the value is not a duration, and INVALID_OPTION if the duration is not
 * greater than 0.
 */
export function positive(field: string, duration: Duration): number {
  const ms = durationMs(duration);
  if (ms <= 0) throw invalid(field, duration, "longer than '0s'");
  return ms;
}

function warningHandler({ warnings = 'log', logger }: TransportOptions): WarningHandler | undefined {
  if (typeof warnings === 'function') return warnings;
  if (warnings === 'ignore' || logger === undefined) return undefined;
  return new WarningLog(logger).note;
}

function invalid(field: string, value: unknown, expected: string): KubewrightError {
  return new KubewrightError(
    'INVALID_OPTION',
    `cannot connect to an API server: option '${field}' is ${valueText(value)}, but must be ${expected}`,
  );
}
