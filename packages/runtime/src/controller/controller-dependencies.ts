import type { Condition, KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { ServedKinds } from '../cache/served-kinds.js';
import type { Reader } from '../client/reader.js';
import type { EventRecorder } from '../events/event-recorder.js';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Tracer } from '../tracing/tracer.js';
import type { WriteFence } from '../transport/write-fence.js';
import type { BlockerReader } from './blocker-watch.js';
import type { JsonPatchOperation } from './finalizers/finalizer-patches.js';
import type { Reconciler } from './reconciler.js';
import type { ObjectWatcher } from './watched-objects.js';

/** Writes conditions; a `Client` does. */
export interface ConditionWriter {
  patchStatus(
    object: KubeObject,
    edit: (status: { conditions?: Condition[] | undefined }) => void,
    options?: { readonly observed?: boolean },
  ): Promise<KubeObject>;
}

/** Follows names that foreign objects have taken. */
export interface NameSource {
  readonly live: BlockerReader;
  /** Whether the controller may watch a kind in all namespaces. */
  readonly isClusterWide: (kind: KindRef) => boolean;
}

/** What a controller works with. */
export interface ControllerDependencies {
  readonly reconciler: Reconciler<KubeObject>;
  readonly watcher: ObjectWatcher;
  /** Given to the mappers of watches. */
  readonly reader: Reader;
  /** Asks the server. */
  readonly live: Reader;
  /** Follows objects that have the name of a child. @default such objects are not followed */
  readonly names?: NameSource | undefined;
  readonly conditions: ConditionWriter;
  /** Sends a JSON patch and resolves with the object as it is then. */
  readonly patch: (object: KubeObject, operations: readonly JsonPatchOperation[]) => Promise<KubeObject>;
  /** Whether objects of the kind are in namespaces. Rejects when the server does not know the kind. */
  readonly isNamespaced: (kind: KindRef) => Promise<boolean>;
  /** Follows whether optional kinds are served. */
  readonly served: Pick<ServedKinds, 'follow' | 'isServed'>;
  readonly events: EventRecorder;
  /** What the writes of reconciles pass. @default none */
  readonly fence?: WriteFence | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where an OpenTelemetry SDK is registered. */
  readonly tracer?: Tracer | undefined;
  /** Called when something was added to, or left, what `pending` tells. */
  readonly onActivity: () => void;
  /** Called with an error that shall stop the manager. */
  readonly onFatal: (error: unknown) => void;
  /** From 0 to below 1. */
  readonly random: () => number;
}
