import type { Clock, Duration } from '@kubewright/api/clock';
import type { DependencyContainer } from 'tsyringe';
import type { Client } from '../client/client.js';
import type { LeaderElectionOptions } from '../election/leader-election-options.js';
import type { LogLevel, LogOptions } from '../log/log-options.js';
import type { Logger } from '../log/logger.js';
import type { PinoInstance } from '../log/pino-instance.js';
import type { HealthServerOptions } from '../serving/health-server.js';
import type { MetricsServerOptions } from '../serving/metrics-server.js';
import type { ClusterOptions } from './cluster/cluster-options.js';
import type { ControllerDefaults } from './controllers/controller-defaults.js';
import type { ManagerHooks } from './manager-hooks.js';
import type { ProfilingServerOptions } from './profiling-server.js';
import type { SettingSources } from './settings/given-settings.js';

/** The signals that can switch the log level. */
export const LOG_LEVEL_SIGNALS = ['SIGUSR2', 'SIGHUP'] as const;
/** A signal that can switch the log level. */
export type LogLevelSignal = (typeof LOG_LEVEL_SIGNALS)[number];

/** What `new Manager` takes. */
export interface ManagerOptions extends ClusterOptions {
  /**
   * Name of the Lease by which one of several replicas is elected, or more options of it. The others keep their caches and queues
   * ready meanwhile. A replica that loses the Lease stops at once, without a grace period, and `stopped` rejects with LEADERSHIP_LOST;
   * where the manager owns the process (see `signals`), that ends within a second, with exit code 75. @default no election
   */
  readonly leaderElection?: string | LeaderElectionOptions | false;
  /** How long the first objects of what is declared may take before `start` gives up; `false` waits for ever. @default '2m' */
  readonly syncTimeout?: Duration | false;
  /**
   * How long everything together may take to end when the manager stops. What runs on after that is left behind, and `stopped`
   * rejects with GRACE_PERIOD_OVER; where the manager owns the process (see `signals`), that does not keep it alive: it ends a second
   * later. '0s' does not wait, which is no error; `false` waits for ever. @default '30s'
   */
  readonly gracePeriod?: Duration | false;
  /**
   * Stop on these signals of the process; the next one does what it does without us. `false` leaves the process to the program: the
   * manager then neither listens to signals nor sets an exit code. @default ['SIGINT', 'SIGTERM']
   */
  readonly signals?: readonly NodeJS.Signals[] | false;
  /** What to call at the turning points of the manager's life; `manager.on` adds more. @default none */
  readonly hooks?: ManagerHooks;
  /**
   * Where metrics are served, to whom, and which; false for nowhere. To say anything asks for them. @default port 8443 of every address,
   * protected, in a Pod; nowhere else
   */
  readonly metrics?: MetricsServerOptions | false;
  /**
   * Where the kubelet finds out whether the process is to go on (`/healthz`) and whether it does its work (`/readyz`); false for nowhere.
   * To say anything asks for it. @default port 8081 of every address, in a Pod; nowhere else
   */
  readonly health?: HealthServerOptions | false;
  /** Where profiles of this process can be recorded: `/debug/pprof/profile` and `/debug/pprof/heap`. @default false, for nowhere */
  readonly profiling?: ProfilingServerOptions | false;
  /**
   * Makes of the client of the manager, and of that of each controller, by its name, what they get in its place: one that only tries,
   * one of a namespace, one that records. @default the client itself
   */
  readonly client?: (client: Client, controller: string | undefined) => Client;
  /** What holds for every controller that does not say otherwise. @default that of each option */
  readonly controllers?: ControllerDefaults;
  /**
   * The tsyringe container of the program. The manager creates a child of it, so controllers and runnables can request whatever is
   * registered there. `Client`, `Cache`, `EventRecorder`, `Clock`, `Logger` and what `manager.provide` registers take precedence.
   * @default tsyringe's global `container`
   */
  readonly container?: DependencyContainer;
  /** What is less important is not logged, where no `logger` is given. A number is a verbosity: 0 for info, more for debug. @default 'info' */
  readonly logLevel?: LogLevel | number;
  /**
   * The signal that switches the log level to 'debug', and back the next time. Not for a `logger` that is not pino.
   * @default 'SIGUSR2' in a Pod; none elsewhere
   */
  readonly logLevelSignal?: LogLevelSignal | false;
  /** How lines are logged, where no `logger` is given. @default lines for people on a terminal, JSON otherwise */
  readonly log?: Omit<LogOptions, 'level'>;
  /**
   * Where flags and variables of the environment are looked up that go before these options: `--grace-period=10s` or
   * KUBEWRIGHT_GRACE_PERIOD for `gracePeriod`, `--controller.NAME.concurrency=4` or KUBEWRIGHT_CONTROLLER_NAME_CONCURRENCY for that
   * of one controller. `manager.settings()` lists them. `false` takes the options as they are. @default those of the process
   */
  readonly settings?: SettingSources | false;
  /** What tells the time, and waits. @default the real one */
  readonly clock?: Clock;
  /**
   * Receives all log lines, instead of what `log` and `logLevel` describe: a `Logger`, or a pino instance of the program with its
   * transports, redaction, serializers and levels. @default lines on the standard output
   */
  readonly logger?: Logger | PinoInstance;
}

/** The name of every option. */
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
