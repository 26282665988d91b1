import type { MetricDefinition } from '@kubewright/api/metrics';

const requestSeconds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
] as const;
const eventBytes = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072] as const;

/** The labels of a request, in the order of kube-apiserver. */
const request = ['group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;

/** The metrics of the server, with the names, labels and bounds of kube-apiserver. */
export const serverMetricDefinitions = {
  requests: {
    name: 'apiserver_request_total',
    type: 'counter',
    labels: ['verb', 'dry_run', ...request, 'code'],
    help: 'Requests by verb, dry run, resource, scope and status code.',
  },
  requestSeconds: {
    name: 'apiserver_request_duration_seconds',
    type: 'histogram',
    labels: ['verb', 'dry_run', ...request],
    buckets: requestSeconds,
    help: 'Duration of requests in seconds.',
  },
  longRunning: {
    name: 'apiserver_longrunning_requests',
    type: 'gauge',
    labels: ['verb', ...request],
    help: 'Open requests without a time limit, such as watches.',
  },
  inFlight: {
    name: 'apiserver_current_inflight_requests',
    type: 'gauge',
    labels: ['request_kind'],
    help: 'Requests in progress, except requests without a time limit.',
  },
  watchEvents: {
    name: 'apiserver_watch_events_total',
    type: 'counter',
    labels: ['group', 'version', 'resource'],
    help: 'Events that watches have sent.',
  },
  watchEventBytes: {
    name: 'apiserver_watch_events_sizes',
    type: 'histogram',
    labels: ['group', 'version', 'resource'],
    buckets: eventBytes,
    help: 'Sizes of the events that watches have sent, in bytes.',
  },
  storageObjects: {
    name: 'apiserver_storage_objects',
    type: 'gauge',
    labels: ['resource'],
    help: 'Stored objects by resource.',
  },
  resourceObjects: {
    name: 'apiserver_resource_objects',
    type: 'gauge',
    labels: ['group', 'resource'],
    help: 'Stored objects by group and resource.',
  },
  build: {
    name: 'kubernetes_build_info',
    type: 'gauge',
    labels: [
      'build_date',
      'compiler',
      'git_commit',
      'git_tree_state',
      'git_version',
      'go_version',
      'major',
      'minor',
      'platform',
    ],
    help: 'The version of the server. The value is always 1.',
  },
  processSeconds: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Processor time of the process in seconds.',
  },
  processMemory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Resident memory of the process in bytes.',
  },
  processStart: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    labels: [],
    help: 'Start time of the process in seconds since 1970.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
