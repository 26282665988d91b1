import { LOG_LEVELS } from '../../log/log-options.js';
import { LOG_LEVEL_SIGNALS } from '../manager-options.js';
import { type Setting, setting } from './setting.js';
import {
  address,
  boolean,
  count,
  counts,
  duration,
  durationOrFalse,
  list,
  oneOf,
  orFalse,
  orVerbosity,
  positiveDuration,
  positiveDurationOrFalse,
  text,
} from './setting-value.js';

/** Switches leader election on or off; the name comes from the options, or from `leaderElection.name`. */
export const LEADER_ELECT = setting('leaderElect', boolean);

/** The options of a manager that can be said without code, in the order in which they are told. */
export const MANAGER_SETTINGS: readonly Setting[] = [
  setting('kubeconfig', text),
  setting('context', text),
  setting('namespaces', list),
  setting('implicitInformers', boolean),
  setting('requestTimeout', positiveDuration),
  setting('warnings', oneOf('log', 'ignore')),
  setting('cache.resync', durationOrFalse),
  setting('cache.keepManagedFields', boolean),
  setting('logLevel', orVerbosity(oneOf(...LOG_LEVELS)), { aliases: ['--zap-log-level'] }),
  setting('logLevelSignal', orFalse(oneOf(...LOG_LEVEL_SIGNALS))),
  setting('log.format', oneOf('pretty', 'json')),
  setting('log.stacks', oneOf(...LOG_LEVELS)),
  setting('log.time', oneOf('iso8601', 'epoch-ms', 'epoch-s', 'none')),
  setting('syncTimeout', positiveDurationOrFalse),
  setting('gracePeriod', durationOrFalse),
  setting('signals', orFalse(list)),
  LEADER_ELECT,
  setting('leaderElection.name', text, { aliases: ['--leader-election-id'] }),
  setting('leaderElection.namespace', text),
  setting('leaderElection.identity', text),
  setting('leaderElection.duration', duration),
  setting('leaderElection.renewDeadline', duration),
  setting('leaderElection.retryPeriod', duration),
  setting('leaderElection.releaseOnStop', boolean),
  setting('metrics', address, { aliases: ['--metrics-bind-address'] }),
  setting('metrics.secure', boolean),
  setting('metrics.protect', boolean),
  setting('health', address, { aliases: ['--health-probe-bind-address'] }),
  setting('profiling', address, { aliases: ['--pprof-bind-address'] }),
  setting('controllers.concurrency', count),
  setting('controllers.concurrencyByKind', counts),
  setting('controllers.timeout', positiveDuration),
  setting('controllers.syncTimeout', positiveDurationOrFalse),
  setting('controllers.backoff.initial', positiveDuration),
  setting('controllers.backoff.max', positiveDuration),
  setting('controllers.leaderOnly', boolean),
  setting('controllers.warmUp', boolean),
  setting('controllers.failFast', boolean),
];
