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

/** The options of a connection to a cluster, and of its client and cache. */
export interface ClusterOptions {
  /**
   * The path of a kubeconfig, or `{ inline }` with the content of a kubeconfig as YAML or JSON. Relative paths in such content are relative
   * to the working directory.
   * @default KUBECONFIG, ~/.kube/config, then the service account of the Pod
   */
  readonly kubeconfig?: string | { readonly inline: string };
  /** The context of the kubeconfig to use. @default the current context */
  readonly context?: string;
  /** Which exec plugins of a kubeconfig may be run to obtain credentials. @default 'allow-all' */
  readonly execPolicy?: ExecPolicy;
  /** The connection to use instead of a kubeconfig. @default the connection of the kubeconfig, or of the Pod */
  readonly connection?: Connection;
  /**
   * The namespaces to watch and read. If set, `cache.namespaces` does not select namespaces; it only adds settings for them. @default all
   */
  readonly namespaces?: readonly string[];
  /** Which objects the cache contains, and which of their fields. @default whole objects of the kinds that are declared or requested */
  readonly cache?: CacheOptions;
  /**
   * The logger that receives all log lines: a `Logger`, or a pino instance. @default warnings and errors are written to the standard output
   */
  readonly logger?: Logger | PinoInstance;
  /**
   * Whether reading a kind that is not declared opens an informer. If false, such reads throw UNDECLARED_KIND. @default true for connect(),
   * false for a manager
   */
  readonly implicitInformers?: boolean;
  /** The options of event recording: the API and further sinks. @default the API events.k8s.io/v1 */
  readonly events?: RecordedEventsOptions;
  /**
   * The client-side rate limit of requests. Clusters that use the same object share the limit. @default no limit; the server has its own
   * limits
   */
  readonly requestLimit?: RequestLimit;
  /**
   * The time limit of a request, including waits and retries. Does not apply to watches. @default none; a request ends after 75 s without a
   * received byte
   */
  readonly requestTimeout?: Duration;
  /**
   * Whether built-in kinds are read as protobuf, which needs less CPU time than JSON. Set this option to false only to find out whether
   * protobuf causes a problem. @default true
   */
  readonly protobuf?: boolean;
  /** What to do with warnings of the server: log each warning once, ignore them, or pass them to a function. @default 'log' */
  readonly warnings?: 'log' | 'ignore' | WarningHandler;
  /** Objects that are notified of every request, for custom metrics and traces. @default none */
  readonly observers?: readonly TransportObserver[];
}
