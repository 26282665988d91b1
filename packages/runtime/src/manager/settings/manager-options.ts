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
import type { SettingSources } from './given-settings.js';

/** The signals that can switch the log level. */
export const LOG_LEVEL_SIGNALS = ['SIGUSR2', 'SIGHUP'] as const;
/** A signal that can switch the log level. */
export type LogLevelSignal = (typeof LOG_LEVEL_SIGNALS)[number];

/** The options of `new Manager`. */
export interface ManagerOptions extends ClusterOptions {
  /**
   * Name of the Lease for the leader election of several replicas, or more options. The other replicas keep their caches and queues ready.
   * A replica that loses the Lease stops at once, without a grace period, and `stopped` rejects with LEADERSHIP_LOST. If the manager owns
   * the process (see `signals`), the process exits within a second with exit code 75. @default no election
   */
  readonly leaderElection?: string | LeaderElectionOptions | false;
  /**
   * Time limit of `start` for each component to become ready, such as the initial lists of a controller's kinds. `false` waits without a
   * limit. @default '2m'
   */
  readonly syncTimeout?: Duration | false;
  /**
   * Time limit for the whole stop of the manager. The manager abandons work that is still running at the limit, and `stopped` rejects with
   * GRACE_PERIOD_OVER. If the manager owns the process (see `signals`), abandoned work does not keep the process alive: the process exits a
   * second later. '0s' does not wait and causes no error; `false` waits without a limit. @default '30s'
   */
  readonly gracePeriod?: Duration | false;
  /**
   * Signals of the process that stop the manager. The next signal has its default effect. `false` leaves the process to the program: the
   * manager does not listen to signals and does not set an exit code. @default ['SIGINT', 'SIGTERM']
   */
  readonly signals?: readonly NodeJS.Signals[] | false;
  /** The hooks of the manager's lifecycle. `manager.on` adds more hooks. @default none */
  readonly hooks?: ManagerHooks;
  /**
   * The options of the metrics server: address, access and metrics. An object enables the server; `false` disables it. @default in a Pod
   * without the option `connection`, port 8443 of every address, protected; otherwise disabled
   */
  readonly metrics?: MetricsServerOptions | false;
  /**
   * The options of the health server with the liveness checks (`/healthz`) and readiness checks (`/readyz`) for the kubelet. An object
   * enables the server; `false` disables it. @default in a Pod without the option `connection`, port 8081 of every address; otherwise
   * disabled
   */
  readonly health?: HealthServerOptions | false;
  /**
   * The options of the profiling server with `/debug/pprof/profile` and `/debug/pprof/heap`. `false` disables the server. @default false
   */
  readonly profiling?: ProfilingServerOptions | false;
  /**
   * Wraps the client of the manager (`controller` is undefined) and the client of each controller (`controller` is its name), for example
   * with a dry-run client, a client of one namespace, or a recording client. @default the client itself
   */
  readonly client?: (client: Client, controller: string | undefined) => Client;
  /** Default options for all controllers. @default the default of each option */
  readonly controllers?: ControllerDefaults;
  /**
   * The tsyringe container of the program. The manager creates a child of the container, so controllers and runnables can request all
   * registered services. `Client`, `Cache`, `EventRecorder`, `Clock`, `Logger` and the registrations of `manager.provide` take precedence.
   * @default tsyringe's global `container`
   */
  readonly container?: DependencyContainer;
  /** Minimum level of logged lines if no `logger` is given. A number is a verbosity: 0 for info, more for debug. @default 'info' */
  readonly logLevel?: LogLevel | number;
  /**
   * The signal that switches the log level to 'debug', and back on the next signal. Not supported on Windows, and for a `logger` that is
   * not pino. @default 'SIGUSR2' in a Pod, if `signals` is not false and does not contain 'SIGUSR2'; otherwise none
   */
  readonly logLevelSignal?: LogLevelSignal | false;
  /** The log format if no `logger` is given. @default human-readable lines on a terminal, JSON otherwise */
  readonly log?: Omit<LogOptions, 'level'>;
  /**
   * The sources of flags and environment variables, which take precedence over these options: `--grace-period=10s` or
   * KUBEWRIGHT_GRACE_PERIOD for `gracePeriod`, `--controller.NAME.concurrency=4` or KUBEWRIGHT_CONTROLLER_NAME_CONCURRENCY for the option
   * of one controller. `manager.settings()` lists the flags and variables. `false` ignores all flags and variables. @default the flags and
   * variables of the process
   */
  readonly settings?: SettingSources | false;
  /** The clock for times and timers. @default the system clock */
  readonly clock?: Clock;
  /**
   * Receives all log lines, instead of the logger that `log` and `logLevel` describe: a `Logger`, or a pino instance of the program with
   * its transports, redaction, serializers and levels. @default lines on the standard output
   */
  readonly logger?: Logger | PinoInstance;
}

/** The names of all options, to reject unknown options. */
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
  warnings: true,
  observers: true,
  leaderElection: true,
  syncTimeout: true,
  gracePeriod: true,
  signals: true,
  hooks: true,
  metrics: true,
  health: true,
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
