import type { Clock, Duration } from '@kubewright/api/clock';
import type { DependencyContainer } from 'tsyringe';
import type { Client } from '../../client/client.js';
import type { LeaderElectionOptions } from '../../election/leader-election-options.js';
import type { LogLevel, LogOptions } from '../../log/log-options.js';
import type { Logger } from '../../log/logger.js';
import type { PinoInstance } from '../../log/pino-instance.js';
import type { HealthServerOptions } from '../../serving/health-server.js';
import type { MetricsServerOptions } from '../../serving/metrics-server.js';
import type { ClusterOptions } from '../cluster/cluster-options.js';
import type { ControllerDefaults } from '../controllers/controller-defaults.js';
import type { ManagerHooks } from '../hooks/manager-hooks.js';
import type { ProfilingServerOptions } from '../endpoints/profiling-server.js';
import type { WebhooksOptions } from '../webhooks/webhooks-options.js';
import type { SettingSources } from './given-settings.js';

/** The signals that can switch the log level. */
export const LOG_LEVEL_SIGNALS = ['SIGUSR2', 'SIGHUP'] as const;
/** A signal that can switch the log level. */
export type LogLevelSignal = (typeof LOG_LEVEL_SIGNALS)[number];

/** The options of `new Manager`. */
export interface ManagerOptions extends ClusterOptions {
  /**
   * The name of the Lease for leader election between replicas, or an object with more options. Replicas that are not the leader keep their
   * caches and queues up to date.
   *
   * A replica that loses the Lease stops without a grace period, and `stopped` rejects with LEADERSHIP_LOST. If the manager owns the
   * process (see `signals`), the process exits within a second with exit code 75. @default no election
   */
  readonly leaderElection?: string | LeaderElectionOptions | false;
  /**
   * The time within which each component must become ready during `start`. A controller is ready when the first lists of its kinds are
   * complete. If the limit is exceeded, `start` rejects with NOT_SYNCED. `false` disables the limit. @default '2m'
   */
  readonly syncTimeout?: Duration | false;
  /**
   * The maximum duration of the stop. When the grace period is over, the manager no longer waits for running work, and `stopped` rejects
   * with GRACE_PERIOD_EXCEEDED. If the manager owns the process (see `signals`), the process exits a second later even if work is still
   * running. '0s' does not wait for work and does not cause an error. `false` disables the limit. @default '30s'
   */
  readonly gracePeriod?: Duration | false;
  /**
   * The signals of the process that stop the manager. A second signal has its default effect. `false` means that the program owns the
   * process: the manager does not listen to signals and does not set an exit code. @default ['SIGINT', 'SIGTERM']
   */
  readonly signals?: readonly NodeJS.Signals[] | false;
  /** Functions that the manager calls at points of its lifecycle. `manager.on` adds more hooks. @default none */
  readonly hooks?: ManagerHooks;
  /**
   * The options of the metrics server: address, access control and metrics. An object enables the server, and `false` disables it. @default
   * in a Pod without the option `connection`, port 8443 of every address, protected; otherwise disabled
   */
  readonly metrics?: MetricsServerOptions | false;
  /**
   * The options of the health server, which serves the liveness checks (`/healthz`) and readiness checks (`/readyz`) for the kubelet. An
   * object enables the server, and `false` disables it. @default in a Pod without the option `connection`, port 8081 of every address;
   * otherwise disabled
   */
  readonly health?: HealthServerOptions | false;
  /**
   * The options of the webhook server, which serves the webhooks that are added to the manager. An object enables the server, and `false`
   * disables it. The server listens only if the operator has webhooks. @default in a Pod without the option `connection`, port 9443 of
   * every address; otherwise disabled
   */
  readonly webhooks?: WebhooksOptions | false;
  /**
   * The options of the profiling server, which serves `/debug/pprof/profile` and `/debug/pprof/heap`. `false` disables the server. @default
   * false
   */
  readonly profiling?: ProfilingServerOptions | false;
  /**
   * Replaces a client with the returned client, for example to add a dry run, a namespace or an access record. Called for the client of
   * each controller with the name of the controller, and for the client of the manager with undefined. @default the client itself
   */
  readonly client?: (client: Client, controller: string | undefined) => Client;
  /** The default options of all controllers. @default the default of each option */
  readonly controllers?: ControllerDefaults;
  /**
   * The tsyringe container of the program. The manager uses a child of this container, so that constructors of controllers and runnables
   * can request all services that are registered in it. `Client`, `Cache`, `EventRecorder`, `Clock`, `Logger` and the services of
   * `manager.provide` take precedence.
   * @default tsyringe's global `container`
   */
  readonly container?: DependencyContainer;
  /**
   * The minimum level of log lines. Ignored if `logger` is set. A number is a verbosity: 0 means info, and higher numbers mean debug.
   * @default 'info'
   */
  readonly logLevel?: LogLevel | number;
  /**
   * The signal that switches the log level to 'debug', and back when the process receives the signal again. With `false`, no signal
   * switches the level. Not supported on Windows, or if `logger` is not a pino instance. @default 'SIGUSR2' in a Pod, if `signals` is not
   * false and does not contain 'SIGUSR2'; otherwise none
   */
  readonly logLevelSignal?: LogLevelSignal | false;
  /** The log format. Ignored if `logger` is set. @default human-readable lines on a terminal, JSON otherwise */
  readonly log?: Omit<LogOptions, 'level'>;
  /**
   * The flags and environment variables that can override these options, for example `--grace-period=10s` or KUBEWRIGHT_GRACE_PERIOD for
   * `gracePeriod`. For an option of one controller, the names are `--controller.NAME.concurrency=4` and
   * KUBEWRIGHT_CONTROLLER_NAME_CONCURRENCY. `manager.settings()` lists all flags and variables. `false` ignores flags and variables.
   * @default the flags and variables of the process
   */
  readonly settings?: SettingSources | false;
  /** The clock for times and timers. @default the system clock */
  readonly clock?: Clock;
  /**
   * The logger that receives all log lines. Replaces the logger that `log` and `logLevel` configure. Can be a `Logger`, or a pino instance
   * with its own transports, redaction, serializers and levels. @default lines on the standard output
   */
  readonly logger?: Logger | PinoInstance;
}

/** The names of all options of a manager, so that unknown options can be rejected. */
export const MANAGER_OPTIONS: { readonly [K in keyof ManagerOptions]-?: true } = {
  kubeconfig: true,
  context: true,
  execPolicy: true,
  connection: true,
  namespaces: true,
  cache: true,
  logger: true,
  implicitInformers: true,
  events: true,
  requestLimit: true,
  requestTimeout: true,
  protobuf: true,
  warnings: true,
  observers: true,
  leaderElection: true,
  syncTimeout: true,
  gracePeriod: true,
  signals: true,
  hooks: true,
  metrics: true,
  health: true,
  webhooks: true,
  profiling: true,
  client: true,
  controllers: true,
  container: true,
  logLevel: true,
  logLevelSignal: true,
  log: true,
  settings: true,
  clock: true,
};
