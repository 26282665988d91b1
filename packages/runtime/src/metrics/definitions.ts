import type { FamilyDescription } from './family.js';

/** The definition of a metric. */
export interface MetricDefinition extends FamilyDescription {
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

/** The bucket bounds of the reconcile duration, in seconds. */
const RUN_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
] as const;
/**
 * Twelve bucket bounds from 10 ns, each computed from the previous bound. The rounding errors match the label values of other
 * implementations.
 */
const QUEUE_SECONDS = Array.from({ length: 11 }).reduce<readonly number[]>(
  (bounds) => [...bounds, (bounds.at(-1) ?? 0) * 10],
  [10e-9],
);
const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60] as const;
const BODY_BYTES = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216] as const;

const CONTROLLER = ['controller'] as const;
const QUEUE = ['name', 'controller'] as const;
const REQUEST = ['verb', 'host'] as const;
const INFORMER = ['group', 'version', 'kind', 'namespaces', 'selector'] as const;

/** All metrics of the runtime. The names, labels and bounds of the first groups match controller-runtime and client-go. */
export const METRICS = {
  reconciles: {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    labels: ['controller', 'result'],
    help: 'Reconciles that ended, by how: success, error, requeue or requeue_after.',
  },
  reconcileErrors: {
    name: 'controller_runtime_reconcile_errors_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that failed, conflicts aside.',
  },
  terminalErrors: {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that failed in a way that trying again cannot help.',
  },
  panics: {
    name: 'controller_runtime_reconcile_panics_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that failed by a mistake in their code, such as a property of undefined.',
  },
  timeouts: {
    name: 'controller_runtime_reconcile_timeouts_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles whose time limit was over before they ended.',
  },
  reconcileSeconds: {
    name: 'controller_runtime_reconcile_time_seconds',
    type: 'histogram',
    labels: CONTROLLER,
    help: 'How long reconciles took.',
    buckets: RUN_SECONDS,
  },
  maxConcurrent: {
    name: 'controller_runtime_max_concurrent_reconciles',
    type: 'gauge',
    labels: CONTROLLER,
    help: 'How many objects may be reconciled at a time.',
  },
  activeWorkers: {
    name: 'controller_runtime_active_workers',
    type: 'gauge',
    labels: CONTROLLER,
    help: 'Reconciles that are under way.',
  },
  queueDepth: {
    name: 'workqueue_depth',
    type: 'gauge',
    labels: ['name', 'controller', 'priority'],
    help: 'Keys that are ready and wait for a worker, by priority; from the 26th priority on they are counted together.',
  },
  queueAdds: {
    name: 'workqueue_adds_total',
    type: 'counter',
    labels: QUEUE,
    help: 'Keys that became ready; adds that fell together with another are not counted.',
  },
  queueRetries: {
    name: 'workqueue_retries_total',
    type: 'counter',
    labels: QUEUE,
    help: 'Adds with a delay: retries, requeues and repetitions.',
  },
  queueSeconds: {
    name: 'workqueue_queue_duration_seconds',
    type: 'histogram',
    labels: QUEUE,
    help: 'How long keys that were ready waited for a worker.',
    buckets: QUEUE_SECONDS,
  },
  workSeconds: {
    name: 'workqueue_work_duration_seconds',
    type: 'histogram',
    labels: QUEUE,
    help: 'How long the work on keys took.',
    buckets: QUEUE_SECONDS,
  },
  unfinishedSeconds: {
    name: 'workqueue_unfinished_work_seconds',
    type: 'gauge',
    labels: QUEUE,
    help: 'How long the keys that are being worked on have been so, together. Grows steadily when something hangs.',
  },
  longestSeconds: {
    name: 'workqueue_longest_running_processor_seconds',
    type: 'gauge',
    labels: QUEUE,
    help: 'How long the work that began first of all that is under way has been going on.',
  },
  requests: {
    name: 'rest_client_requests_total',
    type: 'counter',
    labels: ['code', 'method', 'host'],
    help: 'Requests to the API server by the code of the answer; <error> where none came.',
  },
  requestSeconds: {
    name: 'rest_client_request_duration_seconds',
    type: 'histogram',
    labels: REQUEST,
    help: 'How long requests to the API server took; of a watch, until its answer began.',
    buckets: REQUEST_SECONDS,
  },
  dnsSeconds: {
    name: 'rest_client_dns_resolution_duration_seconds',
    type: 'histogram',
    labels: ['host'],
    help: 'How long it took to resolve the name of the API server, for connections that were made by name.',
    buckets: REQUEST_SECONDS,
  },
  requestBytes: {
    name: 'rest_client_request_size_bytes',
    type: 'histogram',
    labels: REQUEST,
    help: 'Size of the bodies of requests to the API server.',
    buckets: BODY_BYTES,
  },
  responseBytes: {
    name: 'rest_client_response_size_bytes',
    type: 'histogram',
    labels: REQUEST,
    help: 'Size of the bodies of answers of the API server; watches aside.',
    buckets: BODY_BYTES,
  },
  rateLimiterSeconds: {
    name: 'rest_client_rate_limiter_duration_seconds',
    type: 'histogram',
    labels: REQUEST,
    help: 'How long requests were held back on this side.',
    buckets: REQUEST_SECONDS,
  },
  requestRetries: {
    name: 'rest_client_request_retries_total',
    type: 'counter',
    labels: ['code', 'verb', 'host'],
    help: 'Requests that were sent again, by the code of the answer that led to it; <error> where none came.',
  },
  leader: {
    name: 'leader_election_master_status',
    type: 'gauge',
    labels: ['name'],
    help: '1 while this process holds the lease, else 0.',
  },
  leaderSlowPaths: {
    name: 'leader_election_slowpath_total',
    type: 'counter',
    labels: ['name'],
    help: 'How often the lease had to be read before it could be renewed.',
  },
  certificateReads: {
    name: 'certwatcher_read_certificate_total',
    type: 'counter',
    labels: [],
    help: 'Reads of certificate files.',
  },
  certificateErrors: {
    name: 'certwatcher_read_certificate_errors_total',
    type: 'counter',
    labels: [],
    help: 'Reads of certificate files that failed.',
  },
  causes: {
    name: 'kubewright_reconcile_causes_total',
    type: 'counter',
    labels: ['controller', 'cause'],
    help: 'Why objects were reconciled; a reconcile may have several causes.',
  },
  conflicts: {
    name: 'kubewright_reconcile_conflicts_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that are tried again because somebody else wrote meanwhile. No errors.',
  },
  writes: {
    name: 'kubewright_writes_total',
    type: 'counter',
    labels: ['controller', 'verb', 'kind'],
    help: 'Writes that reconciles made.',
  },
  paused: {
    name: 'kubewright_paused_objects',
    type: 'gauge',
    labels: CONTROLLER,
    help: 'Objects that are not reconciled because an annotation says so.',
  },
  echoes: {
    name: 'kubewright_echoes_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Changes that led to no reconcile because they were echoes of own writes.',
  },
  hotLoops: {
    name: 'kubewright_hot_loops_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Objects that were found to be written back and forth without end.',
  },
  triggerErrors: {
    name: 'kubewright_trigger_errors_total',
    type: 'counter',
    labels: ['controller', 'origin'],
    help: 'What failed on the way to a reconcile: a predicate, a mapper (map, references), an owner reference, a source or a change.',
  },
  informerObjects: {
    name: 'kubewright_informer_objects',
    type: 'gauge',
    labels: INFORMER,
    help: 'Objects in the cache.',
  },
  informerBytes: {
    name: 'kubewright_informer_bytes',
    type: 'gauge',
    labels: INFORMER,
    help: 'Size of the JSON that the cached objects were made of, without what was left out. On the heap they take about a third more.',
  },
  informerState: {
    name: 'kubewright_informer_state',
    type: 'gauge',
    labels: [...INFORMER, 'state'],
    help: '1, with what the informer is doing: idle, listing, streaming, watching, waiting or stopped.',
  },
  informerSynced: {
    name: 'kubewright_informer_synced',
    type: 'gauge',
    labels: INFORMER,
    help: '1 once the first list is in the cache.',
  },
  informerLists: {
    name: 'kubewright_informer_lists_total',
    type: 'counter',
    labels: INFORMER,
    help: 'Lists that were taken over; more than one for each namespace are restarts.',
  },
  informerWatches: {
    name: 'kubewright_informer_watches_total',
    type: 'counter',
    labels: INFORMER,
    help: 'Watches that were begun. A watch lasts from 5 to 10 minutes.',
  },
  informerWaiting: {
    name: 'kubewright_informer_waiting_changes',
    type: 'gauge',
    labels: INFORMER,
    help: 'Changes that are in the cache and of which handlers have not heard yet.',
  },
  informerLiveReads: {
    name: 'kubewright_informer_live_reads_total',
    type: 'counter',
    labels: INFORMER,
    help: 'Cached reads of one object that the API server answered, since the cache does not select every object.',
  },
  kindServed: {
    name: 'kubewright_optional_kind_served',
    type: 'gauge',
    labels: ['group', 'version', 'kind'],
    help: '1 while the API server serves an optional kind, 0 while what is declared of the kind is dormant.',
  },
  events: {
    name: 'kubewright_events_total',
    type: 'counter',
    labels: ['outcome'],
    help: 'Kubernetes events: sent to the API server, silenced since their object caused too many, dropped since too many waited, or failed.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
