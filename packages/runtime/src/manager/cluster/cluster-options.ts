import type { Duration } from '@kubewright/api/clock';
import type { CacheOptions } from '../../cache/selection/cache-options.js';
import type { RecordedEventsOptions } from '../../events/recorded-events.js';
import type { Logger } from '../../log/logger.js';
import type { PinoInstance } from '../../log/pino-instance.js';
import type { Connection } from '../../transport/connection/connection.js';
import type { ExecPolicy } from '../../transport/credentials/exec-policy.js';
import type { RequestLimit } from '../../transport/request/request-limit.js';
import type { TransportObserver } from '../../transport/request/transport-observer.js';
import type { WarningHandler } from '../../transport/request/warnings.js';

/** The address and the scope of a cluster connection. */
export interface ClusterOptions {
  /**
   * Path of a kubeconfig, or the text of a kubeconfig as YAML or JSON. Relative paths in a text are relative to the working directory.
   * @default KUBECONFIG, ~/.kube/config, then the service account of the pod
   */
  readonly kubeconfig?: string | { readonly inline: string };
  /** The context of the kubeconfig. @default the current context */
  readonly context?: string;
  /** The exec plugins of a kubeconfig that may run to obtain credentials. @default 'allow-all' */
  readonly execPolicy?: ExecPolicy;
  /** An existing connection. If set, no kubeconfig is read. @default the connection of the kubeconfig, or of the Pod */
  readonly connection?: Connection;
  /** The namespaces to watch. If set, `cache.namespaces` only contributes the settings of these namespaces. @default all */
  readonly namespaces?: readonly string[];
  /** The cached kinds and their cached form. @default whole objects of the kinds that are declared or requested */
  readonly cache?: CacheOptions;
  /** Receives the log lines: a `Logger`, or a pino instance. @default warnings and errors are written to the standard output */
  readonly logger?: Logger | PinoInstance;
  /** Whether reads of undeclared kinds open informers. @default true for connect(), false for a manager */
  readonly implicitInformers?: boolean;
  /** How events are recorded. @default the API events.k8s.io/v1 */
  readonly events?: RecordedEventsOptions;
  /** Client-side rate limit. Clusters that use the same object share the limit. @default no limit; the server has its own limits */
  readonly requestLimit?: RequestLimit;
  /**
   * Timeout of one request, including waits and retries. Does not apply to watches. @default none; a request ends after 75 s without a
   * received byte
   */
  readonly requestTimeout?: Duration;
  /** How warnings of the server are handled: each warning is logged once, ignored, or passed to a function. @default 'log' */
  readonly warnings?: 'log' | 'ignore' | WarningHandler;
  /** Observers that receive every request, for custom metrics and traces. @default none */
  readonly observers?: readonly TransportObserver[];
}
