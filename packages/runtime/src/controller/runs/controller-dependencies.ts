import type { Condition, KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { ServedKinds } from '../../cache/served/served-kinds.js';
import type { Reader } from '../../client/reads/reader.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { Tracer } from '../../tracing/tracer.js';
import type { WriteFence } from '../../transport/request/write-fence.js';
import type { NameSource } from '../blockers/name-source.js';
import type { JsonPatchOperation } from '../finalizers/finalizer-patches.js';
import type { Reconciler } from '../reconciler/reconciler.js';
import type { ObservedRun } from './observed-run.js';
import type { ControllerInformers } from '../informers/controller-informer.js';

/** Writes the conditions of objects. `Client` implements this interface. */
export interface ConditionWriter {
  patchStatus(
    object: KubeObject,
    edit: (status: { conditions?: Condition[] | undefined }) => void,
    options?: { readonly observed?: boolean },
  ): Promise<KubeObject>;
}

/** The objects and functions that the manager, or a test, passes to a controller. */
export interface ControllerDependencies {
  readonly reconciler: Reconciler<KubeObject>;
  readonly informers: ControllerInformers;
  /** The reader for mappers of watches. Reads from the cache. */
  readonly reader: Reader;
  /** Reads from the API server. */
  readonly live: Reader;
  /**
   * Detects when the name of a child becomes available. If undefined, an object that needs a taken name for a child is only retried with
   * back-off.
   * @default none
   */
  readonly names?: NameSource | undefined;
  readonly conditions: ConditionWriter;
  /** Sends a JSON patch and resolves with the patched object. */
  readonly patch: (object: KubeObject, operations: readonly JsonPatchOperation[]) => Promise<KubeObject>;
  /** Whether the kind is namespaced. Rejects if the API server does not serve the kind. */
  readonly isNamespaced: (kind: KindRef) => Promise<boolean>;
  /** Tracks whether the API server serves optional kinds. */
  readonly served: Pick<ServedKinds, 'follow' | 'isServed'>;
  readonly events: EventRecorder;
  /** Checks before each write of a reconcile whether the controller may still write. @default none */
  readonly fence?: WriteFence | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The tracer of the runs. Undefined if no OpenTelemetry SDK is registered. */
  readonly tracer?: Tracer | undefined;
  /** Called each time the pending work or the readiness of the controller may have changed. */
  readonly onActivity: () => void;
  /** Called at the start and at the end of each reconcile. @default not called */
  readonly onRun?: ((run: ObservedRun) => void) | undefined;
  /** Called with an error for which the manager must stop. */
  readonly onFatal: (error: unknown) => void;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}
