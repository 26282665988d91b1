import type { Duration } from '@kubewright/api/clock';
import type { CacheOptions } from '../../cache/cache-options.js';
import type { RecordedEventsOptions } from '../../events/recorded-events.js';
import type { Logger } from '../../log/logger.js';
import type { PinoInstance } from '../../log/pino-instance.js';
import type { Connection } from '../../transport/connection.js';
import type { ExecPolicy } from '../../transport/exec-policy.js';
import type { RequestLimit } from '../../transport/request-limit.js';
import type { TransportObserver } from '../../transport/transport-observer.js';
import type { WarningHandler } from '../../transport/warnings.js';

/** Where the API server is, and what of it is looked at. */
export interface ClusterOptions {
  /**
   * A path, or the text of a kubeconfig as YAML or JSON. Relative paths in a text are relative to the working directory.
   * @default KUBECONFIG, ~/.kube/config, then the service account of the pod
   */
  readonly kubeconfig?: string | { readonly inline: string };
  /** The context of the kubeconfig. @default the current one */
  readonly context?: string;
  /** Which plugins of a kubeconfig may be run for credentials. @default 'allow-all' */
  readonly execPolicy?: ExecPolicy;
  /** A connection that is known already; then no kubeconfig is read. @default that of the kubeconfig, or of the Pod */
  readonly connection?: Connection;
  /** Stands in place of the names in `cache.namespaces`, which then only gives them their settings. @default all */
  readonly namespaces?: readonly string[];
  /** What is cached, and in what form. @default whole objects, as they are declared or asked for */
  readonly cache?: CacheOptions;
  /** Receives the log lines: a `Logger`, or a pino instance. @default warnings and errors, as JSON lines */
  readonly logger?: Logger | PinoInstance;
  /** Reads of a cluster without controllers open informers as they come. @default true for connect(), false for a manager */
  readonly implicitInformers?: boolean;
  /** How events are recorded. @default by events.k8s.io/v1 */
  readonly events?: RecordedEventsOptions;
  /** Holds requests back on this side; one object for several clusters is shared by them. @default none: the server has its own limits */
  readonly requestLimit?: RequestLimit;
  /** The time for one request, waits and retries included; watches have none. @default none: 75 s without a byte end it */
  readonly requestTimeout?: Duration;
  /** What is done with warnings of the server: each logged once, none, or a function for every one. @default 'log' */
  readonly warnings?: 'log' | 'ignore' | WarningHandler;
  /** Are told of every request, for metrics and traces of one's own. @default none */
  readonly observers?: readonly TransportObserver[];
}
