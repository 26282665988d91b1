import type { MetricDefinition } from '@kubewright/api/metrics';

/** The bounds of the buckets for the duration of reconciles, in seconds. */
const RUN_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
] as const;
/**
 * Twelve bounds from 10 ns. Each bound is calculated from the previous bound. The rounding errors are therefore the same as in client-go,
 * so that the label values match.
 */
const QUEUE_SECONDS = Array.from({ length: 11 }).reduce<readonly number[]>(
  (bounds) => [...bounds, (bounds.at(-1) ?? 0) * 10],
  [10e-9],
);
const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60] as const;
const BODY_BYTES = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216] as const;

/** The default bucket bounds of a Prometheus histogram, in seconds. */
const DEFAULT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

const CONTROLLER = ['controller'] as const;
const QUEUE = ['name', 'controller'] as const;
const REQUEST = ['verb', 'host'] as const;
const WEBHOOK = ['webhook'] as const;
const INFORMER = ['group', 'version', 'kind', 'namespaces', 'selector'] as const;

/**
 * All metrics of the runtime. If the name of a metric does not start with `kubewright_`, its name, labels and bounds are the same as in
 * controller-runtime or client-go.
 */
export const METRICS = {
  reconciles: {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    labels: ['controller', 'result'],
    help: 'Completed reconciles by result: success, error, requeue or requeue_after.',
  },
  reconcileErrors: {
    name: 'controller_runtime_reconcile_errors_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Failed reconciles, except conflicts.',
  },
  terminalErrors: {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that failed with a terminal error, which is not retried.',
  },
  panics: {
    name: 'controller_runtime_reconcile_panics_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that failed because of a programming error, such as reading a property of undefined.',
  },
  timeouts: {
    name: 'controller_runtime_reconcile_timeouts_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that exceeded their time limit.',
  },
  reconcileSeconds: {
    name: 'controller_runtime_reconcile_time_seconds',
    type: 'histogram',
    labels: CONTROLLER,
    help: 'Duration of reconciles.',
    buckets: RUN_SECONDS,
  },
  maxConcurrent: {
    name: 'controller_runtime_max_concurrent_reconciles',
    type: 'gauge',
    labels: CONTROLLER,
    help: 'Maximum number of concurrent reconciles.',
  },
  activeWorkers: {
    name: 'controller_runtime_active_workers',
    type: 'gauge',
    labels: CONTROLLER,
    help: 'Reconciles in progress.',
  },
  queueDepth: {
    name: 'workqueue_depth',
    type: 'gauge',
    labels: ['name', 'controller', 'priority'],
    help: 'Keys that are ready and wait for a worker, by priority; from the 26th priority on, all keys share one series.',
  },
  queueAdds: {
    name: 'workqueue_adds_total',
    type: 'counter',
    labels: QUEUE,
    help: 'Keys that became ready; adds that are merged with another add are not counted.',
  },
  queueRetries: {
    name: 'workqueue_retries_total',
    type: 'counter',
    labels: QUEUE,
    help: 'Adds with a delay: retries, requeues and periodic reconciles.',
  },
  queueSeconds: {
    name: 'workqueue_queue_duration_seconds',
    type: 'histogram',
    labels: QUEUE,
    help: 'Time that ready keys waited for a worker.',
    buckets: QUEUE_SECONDS,
  },
  workSeconds: {
    name: 'workqueue_work_duration_seconds',
    type: 'histogram',
    labels: QUEUE,
    help: 'Time to process a key.',
    buckets: QUEUE_SECONDS,
  },
  unfinishedSeconds: {
    name: 'workqueue_unfinished_work_seconds',
    type: 'gauge',
    labels: QUEUE,
    help: 'Sum of the processing times of all keys in progress. A steady increase indicates stuck workers.',
  },
  longestSeconds: {
    name: 'workqueue_longest_running_processor_seconds',
    type: 'gauge',
    labels: QUEUE,
    help: 'Longest processing time of the keys in progress.',
  },
  requests: {
    name: 'rest_client_requests_total',
    type: 'counter',
    labels: ['code', 'method', 'host'],
    help: 'Requests to the API server by response code; <error> if there was no response.',
  },
  requestSeconds: {
    name: 'rest_client_request_duration_seconds',
    type: 'histogram',
    labels: REQUEST,
    help: 'Duration of requests to the API server. For a watch or a list of the cache, the time until the response starts.',
    buckets: REQUEST_SECONDS,
  },
  dnsSeconds: {
    name: 'rest_client_dns_resolution_duration_seconds',
    type: 'histogram',
    labels: ['host'],
    help: 'Duration of the DNS lookup for the host name of the API server.',
    buckets: REQUEST_SECONDS,
  },
  requestBytes: {
    name: 'rest_client_request_size_bytes',
    type: 'histogram',
    labels: REQUEST,
    help: 'Size of request bodies sent to the API server.',
    buckets: BODY_BYTES,
  },
  responseBytes: {
    name: 'rest_client_response_size_bytes',
    type: 'histogram',
    labels: REQUEST,
    help: 'Size of response bodies from the API server, except watches and lists of the cache.',
    buckets: BODY_BYTES,
  },
  rateLimiterSeconds: {
    name: 'rest_client_rate_limiter_duration_seconds',
    type: 'histogram',
    labels: REQUEST,
    help: 'Time that requests waited for the client-side limit.',
    buckets: REQUEST_SECONDS,
  },
  requestRetries: {
    name: 'rest_client_request_retries_total',
    type: 'counter',
    labels: ['code', 'verb', 'host'],
    help: 'Requests that were retried, by the response code that caused the retry; <error> if there was no response.',
  },
  leader: {
    name: 'leader_election_master_status',
    type: 'gauge',
    labels: ['name'],
    help: '1 while this process holds the lease, otherwise 0.',
  },
  leaderSlowPaths: {
    name: 'leader_election_slowpath_total',
    type: 'counter',
    labels: ['name'],
    help: 'Number of times the lease had to be read before it could be renewed.',
  },
  certificateReads: {
    name: 'certwatcher_read_certificate_total',
    type: 'counter',
    labels: [],
    help: 'Reads of certificates from files or from a Secret.',
  },
  certificateErrors: {
    name: 'certwatcher_read_certificate_errors_total',
    type: 'counter',
    labels: [],
    help: 'Failed reads of certificates from files or from a Secret.',
  },
  webhookSeconds: {
    name: 'controller_runtime_webhook_latency_seconds',
    type: 'histogram',
    labels: WEBHOOK,
    help: 'Duration of webhook requests.',
    buckets: DEFAULT_SECONDS,
  },
  webhookRequests: {
    name: 'controller_runtime_webhook_requests_total',
    type: 'counter',
    labels: [...WEBHOOK, 'code'],
    help: 'Webhook requests by the HTTP status code of the response.',
  },
  webhookActive: {
    name: 'controller_runtime_webhook_requests_in_flight',
    type: 'gauge',
    labels: WEBHOOK,
    help: 'Webhook requests in progress.',
  },
  webhookPanics: {
    name: 'controller_runtime_webhook_panics_total',
    type: 'counter',
    labels: [],
    help: 'Admission requests that failed because the webhook threw an unexpected error.',
  },
  conversionPanics: {
    name: 'controller_runtime_conversion_webhook_panics_total',
    type: 'counter',
    labels: [],
    help: 'Conversion requests that failed because a converter threw an error.',
  },
  causes: {
    name: 'kubewright_reconcile_causes_total',
    type: 'counter',
    labels: ['controller', 'cause'],
    help: 'Causes of reconciles; a reconcile can have several causes.',
  },
  conflicts: {
    name: 'kubewright_reconcile_conflicts_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Reconciles that are retried because of a conflict with another writer. These are not errors.',
  },
  writes: {
    name: 'kubewright_writes_total',
    type: 'counter',
    labels: ['controller', 'verb', 'kind'],
    help: 'Writes by reconciles.',
  },
  paused: {
    name: 'kubewright_paused_objects',
    type: 'gauge',
    labels: CONTROLLER,
    help: 'Objects that are paused by an annotation.',
  },
  echoes: {
    name: 'kubewright_echoes_total',
    type: 'counter',
    labels: CONTROLLER,
    help: "Changes that triggered no reconcile because they were caused by the controller's own writes.",
  },
  hotLoops: {
    name: 'kubewright_hot_loops_total',
    type: 'counter',
    labels: CONTROLLER,
    help: 'Objects that are written repeatedly without reaching a stable state.',
  },
  triggerErrors: {
    name: 'kubewright_trigger_errors_total',
    type: 'counter',
    labels: ['controller', 'origin'],
    help: 'Errors before a reconcile: in a predicate, a mapper (map, references), an owner reference, a source or a change.',
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
    help: 'Size of the JSON of the cached objects, without removed fields. The objects use about a third more on the heap.',
  },
  informerState: {
    name: 'kubewright_informer_state',
    type: 'gauge',
    labels: [...INFORMER, 'state'],
    help: '1 for the current state of the informer: idle, listing, streaming, watching, waiting or stopped.',
  },
  informerSynced: {
    name: 'kubewright_informer_synced',
    type: 'gauge',
    labels: INFORMER,
    help: '1 after the first list is in the cache.',
  },
  informerLists: {
    name: 'kubewright_informer_lists_total',
    type: 'counter',
    labels: INFORMER,
    help: 'Completed lists; more than one per namespace means that the informer listed again.',
  },
  informerWatches: {
    name: 'kubewright_informer_watches_total',
    type: 'counter',
    labels: INFORMER,
    help: 'Started watches. A watch lasts from 5 to 10 minutes.',
  },
  informerWaiting: {
    name: 'kubewright_informer_waiting_changes',
    type: 'gauge',
    labels: INFORMER,
    help: 'Changes that are in the cache but not yet delivered to handlers.',
  },
  informerLiveReads: {
    name: 'kubewright_informer_live_reads_total',
    type: 'counter',
    labels: INFORMER,
    help: 'Cached reads that were sent to the API server because the cache does not select every object or a watch was behind.',
  },
  kindServed: {
    name: 'kubewright_optional_kind_served',
    type: 'gauge',
    labels: ['group', 'version', 'kind'],
    help: '1 while the API server serves an optional kind, 0 while the declarations of the kind are dormant.',
  },
  events: {
    name: 'kubewright_events_total',
    type: 'counter',
    labels: ['outcome'],
    help: 'Kubernetes events by outcome: sent to the API server, silenced because of too many events for the object, dropped because too many were waiting, or failed.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
