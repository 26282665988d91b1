import { type Clock, type Duration, durationMs, SystemClock } from '@kubewright/api/clock';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import type { DependencyContainer } from 'tsyringe';
import type { LeaderElectionOptions } from '../../election/leader-election-options.js';
import type { LogOptions } from '../../log/log-options.js';
import type { GivenLogger } from '../../log/logger-of.js';
import type { ClusterOptions } from '../cluster/cluster-options.js';
import type { MetricsServerOptions } from '../../serving/metrics-server.js';
import { type ControllerDefaults, checkControllerDefaults } from '../controllers/controller-defaults.js';
import { DEFAULT_NAMED_WATCHES } from '../../cache/selection/resolve-cache-options.js';
import { HOOK_NAMES, isHookName } from '../hooks/manager-hooks.js';
import { LOG_LEVEL_SIGNALS, MANAGER_OPTIONS, type ManagerOptions } from './manager-options.js';
import { checkWebhooksOptions } from '../webhooks/webhooks-options.js';
import { describedSettings, type EffectiveSetting, effectiveOptions } from './effective-settings.js';
import { GivenSettings } from './given-settings.js';

/** The defaults of the manager options. */
const DEFAULTS = {
  namespaces: 'all',
  implicitInformers: false,
  protobuf: true,
  warnings: 'log',
  cache: { resync: false, keepManagedFields: false, shareValues: true, maxNamedWatches: DEFAULT_NAMED_WATCHES },
  gracePeriod: '30s',
  syncTimeout: '2m',
  signals: ['SIGINT', 'SIGTERM'],
  logLevel: 'info',
  leaderElect: false,
  leaderElection: { duration: '15s', renewDeadline: '10s', retryPeriod: '2s', releaseOnStop: true },
  controllers: {
    concurrency: 1,
    backoff: { initial: '5ms', max: '1000s' },
    leaderOnly: true,
    warmUp: true,
    failFast: false,
  },
} as const;

/** The options of a manager after validation, with settings and defaults applied. */
export interface ResolvedManagerOptions {
  readonly cluster: ClusterOptions;
  readonly implicitInformers: boolean;
  readonly clock: Clock;
  /** The logger of the program. Undefined if the manager creates its own logger. */
  readonly logger: GivenLogger | undefined;
  readonly log: LogOptions;
  readonly levelSignal: NodeJS.Signals | false;
  readonly client: NonNullable<ManagerOptions['client']>;
  /** The options of each server. False if the server is disabled. */
  readonly servers: Required<Pick<ManagerOptions, 'metrics' | 'health' | 'webhooks' | 'profiling'>>;
  /** The options that the servers would have in a Pod, for manifests. */
  readonly deployed: Required<Pick<ManagerOptions, 'metrics' | 'health' | 'webhooks'>>;
  readonly leaderElection: LeaderElectionOptions | string | undefined;
  /** The time limit for the start of a component in milliseconds. Undefined for no limit. */
  readonly syncTimeoutMs: number | undefined;
  /** The grace period in milliseconds. Undefined for no limit. */
  readonly gracePeriodMs: number | undefined;
  readonly signals: readonly NodeJS.Signals[] | false;
  readonly controllers: ControllerDefaults;
  /** The tsyringe container of the program. Undefined for tsyringe's global container. */
  readonly container: DependencyContainer | undefined;
  /** The flags and variables of the program. Undefined if they are ignored. */
  readonly given: GivenSettings | undefined;
  /** Each setting with its value and its source. */
  readonly settings: readonly EffectiveSetting[];
}

/**
 * Validates the options and applies settings and defaults. Throws INVALID_SETTING and INVALID_MANAGER; the message names the option and the
 * fix.
 */
export function resolveManagerOptions(given: ManagerOptions): ResolvedManagerOptions {
  checkNames(given);
  const { settings = {} } = given;
  const sources = { env: process.env, args: process.argv.slice(2), ...settings };
  const givenSettings = settings === false ? undefined : new GivenSettings(sources);
  const options = givenSettings === undefined ? given : effectiveOptions(given, givenSettings);
  const { clock = new SystemClock(), signals = DEFAULTS.signals, leaderElection, controllers = {} } = options;
  const syncTimeout = options.syncTimeout ?? DEFAULTS.syncTimeout;
  const inPod = Boolean(sources.env?.['KUBERNETES_SERVICE_HOST']);
  const servers = serversOf(options, { inPod });
  checkSignals(signals);
  checkNamespaces(options.namespaces);
  checkControllerDefaults(controllers);
  checkHooks(options.hooks);
  checkContainer(options.container);
  if (options.webhooks) checkWebhooksOptions(options.webhooks);
  return {
    cluster: options,
    implicitInformers: options.implicitInformers === true,
    clock,
    logger: options.logger,
    log: { ...options.log, ...(options.logLevel !== undefined && { level: options.logLevel }) },
    levelSignal: levelSignal(options, inPod),
    servers,
    deployed: serversOf(options, { inPod: true }),
    client: options.client ?? ((client) => client),
    leaderElection: leaderElection === false ? undefined : leaderElection,
    syncTimeoutMs: syncLimitMs(syncTimeout),
    gracePeriodMs: limitMs('gracePeriod', options.gracePeriod ?? DEFAULTS.gracePeriod),
    signals,
    controllers: { syncTimeout, ...controllers },
    container: options.container,
    given: givenSettings,
    settings: describedSettings(options, {
      given: givenSettings,
      defaults: { ...DEFAULTS, logLevelSignal: levelSignal({}, inPod), ...servers },
    }),
  };
}

/**
 * Returns the options of the servers. By default, metrics, health and webhooks are enabled in a Pod if the option `connection` is not set,
 * and disabled otherwise. Profiling is disabled by default.
 */
function serversOf(
  { metrics, health, webhooks, profiling = false, connection }: ManagerOptions,
  { inPod }: { readonly inPod: boolean },
): ResolvedManagerOptions['servers'] {
  const byDefault = connection === undefined && inPod ? {} : false;
  const served = metrics ?? byDefault;
  return {
    metrics: served && metricsIn(served, { inPod }),
    health: health ?? byDefault,
    webhooks: webhooks ?? byDefault,
    profiling,
  };
}

/**
 * Returns the metrics options with the default protection. In a Pod, metrics are protected by default, because every Pod of the cluster can
 * connect. With plain HTTP, they are not protected by default, because tokens would be sent unencrypted.
 */
function metricsIn(metrics: MetricsServerOptions, { inPod }: { readonly inPod: boolean }): MetricsServerOptions {
  const protect = metrics.protect ?? (inPod && metrics.secure !== false);
  return protect ? { ...metrics, secure: metrics.secure ?? true, protect } : metrics;
}
function checkNames(given: ManagerOptions): void {
  const unknown = Object.keys(given).find((option) => !Object.hasOwn(MANAGER_OPTIONS, option));
  if (unknown === undefined) return;
  throw new KubewrightError(
    'INVALID_MANAGER',
    `cannot create a manager: unknown option '${unknown}'; use one of ${Object.keys(MANAGER_OPTIONS).join(', ')}`,
  );
}
function checkSignals(signals: unknown): void {
  const isFine = signals === false || (Array.isArray(signals) && signals.every((each) => /^SIG[A-Z0-9]+$/.test(each)));
  if (!isFine) throw invalid('signals', signals, "use false, or a list such as ['SIGTERM']");
}
function checkHooks(hooks: ManagerOptions['hooks'] = {}): void {
  for (const [name, hook] of Object.entries(hooks)) {
    if (!isHookName(name)) throw invalid('hooks', name, `unknown hook; use one of ${HOOK_NAMES.join(', ')}`);
    if (typeof hook !== 'function') throw invalid(`hooks.${name}`, hook, 'use a function');
  }
}
/**
 * Returns the signal that switches the log level; false if there is none. The default is SIGUSR2 in a Pod, if the manager handles signals
 * and SIGUSR2 does not stop the manager. Windows does not support these signals.
 */
function levelSignal({ logLevelSignal, signals }: ManagerOptions, inPod: boolean): NodeJS.Signals | false {
  const known: readonly unknown[] = [undefined, false, ...LOG_LEVEL_SIGNALS];
  if (!known.includes(logLevelSignal)) {
    throw invalid('logLevelSignal', logLevelSignal, `use false, or one of ${LOG_LEVEL_SIGNALS.join(', ')}`);
  }
  if (process.platform === 'win32') return false;
  return logLevelSignal ?? (inPod && signals !== false && !signals?.includes('SIGUSR2') ? 'SIGUSR2' : false);
}
function checkContainer(container: unknown): void {
  if (container === undefined) return;
  const { createChildContainer } = (container ?? {}) as Partial<DependencyContainer>;
  if (typeof createChildContainer === 'function') return;
  throw invalid('container', container, "use tsyringe's container, or a child of it");
}
function checkNamespaces(namespaces: readonly string[] | undefined): void {
  if (namespaces?.some((namespace) => namespace === '')) {
    throw invalid('namespaces', namespaces, 'a namespace name is empty; omit the option for all namespaces');
  }
}
function syncLimitMs(limit: Duration | false): number | undefined {
  const ms = limitMs('syncTimeout', limit);
  if (ms !== 0) return ms;
  throw invalid('syncTimeout', limit, "use a duration greater than 0, such as '30s', or false for no limit");
}
function limitMs(option: string, limit: Duration | false): number | undefined {
  if (limit === false) return undefined;
  try {
    return durationMs(limit);
  } catch (error) {
    throw invalid(option, limit, "use a duration such as '30s', or false for no limit", error);
  }
}
function invalid(option: string, value: unknown, remedy: string, cause?: unknown): KubewrightError {
  return new KubewrightError(
    'INVALID_MANAGER',
    `cannot create a manager: ${option} is ${valueText(value)}: ${remedy}`,
    cause === undefined ? undefined : { cause },
  );
}
