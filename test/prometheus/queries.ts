/** A published dashboard query. The dashboard sets variables such as `$job`. */
export interface DashboardQuery {
  readonly panel: string;
  readonly query: string;
}
/** A published alert. The alert fires when the result of the query exceeds the limit. */
export interface AlertRule {
  readonly alert: string;
  readonly query: string;
  readonly above: number;
}

const TARGET = '{job="$job", namespace="$namespace"}';
const POD = '{job="$job", namespace="$namespace", pod="$pod"}';
const quantiles = (metric: string): readonly string[] =>
  ['0.50', '0.90', '0.99'].map(
    (quantile) => `histogram_quantile(${quantile}, sum(rate(${metric}_bucket${TARGET}[5m])) by (instance, name, le))`,
  );

/** The panels of the dashboards that kubebuilder's Grafana plugin generates, including panels for custom metrics. */
export const DASHBOARD_QUERIES: readonly DashboardQuery[] = [
  { panel: 'Number of workers in use', query: `controller_runtime_active_workers${TARGET}` },
  {
    panel: 'Total Reconciliation Count Per Controller',
    query: `sum(rate(controller_runtime_reconcile_total${TARGET}[5m])) by (instance, pod)`,
  },
  {
    panel: 'Reconciliation Error Count Per Controller',
    query: `sum(rate(controller_runtime_reconcile_errors_total${TARGET}[5m])) by (instance, pod)`,
  },
  { panel: 'WorkQueue Depth', query: `workqueue_depth${TARGET}` },
  ...quantiles('workqueue_queue_duration_seconds').map((query) => ({
    panel: 'Seconds For Items Stay In Queue',
    query,
  })),
  { panel: 'Work Queue Add Rate', query: `sum(rate(workqueue_adds_total${TARGET}[5m])) by (instance, name)` },
  { panel: 'Unfinished Seconds', query: `rate(workqueue_unfinished_work_seconds${TARGET}[5m])` },
  ...quantiles('workqueue_work_duration_seconds').map((query) => ({
    panel: 'Seconds Processing Items From WorkQueue',
    query,
  })),
  { panel: 'Work Queue Retries Rate', query: `sum(rate(workqueue_retries_total${TARGET}[5m])) by (instance, name)` },
  { panel: 'Controller CPU Usage', query: `rate(process_cpu_seconds_total${POD}[5m]) * 100` },
  { panel: 'Controller Memory Usage', query: `process_resident_memory_bytes${POD}` },
  { panel: 'the variable $job', query: 'group by (job) (controller_runtime_reconcile_total{namespace=~"$namespace"})' },
  { panel: 'the variable $namespace', query: 'group by (namespace) (controller_runtime_reconcile_total)' },
  {
    panel: 'the variable $pod',
    query: 'group by (pod) (controller_runtime_reconcile_total{namespace=~"$namespace", job=~"$job"})',
  },
  { panel: 'Custom: counter', query: `sum(rate(foo_checks_total${TARGET}[5m])) by (instance, pod)` },
  { panel: 'Custom: gauge', query: `foo_known${TARGET}` },
  {
    panel: 'Custom: histogram',
    query: `histogram_quantile(0.90, sum by(instance, le) (rate(foo_check_seconds_bucket${TARGET}[5m])))`,
  },
  {
    panel: 'Requests to the API server',
    query: 'sum(rate(rest_client_requests_total[5m])) by (code, method, host)',
  },
  {
    panel: 'Reconcile duration',
    query:
      'histogram_quantile(0.99, sum(rate(controller_runtime_reconcile_time_seconds_bucket[5m])) by (le, controller))',
  },
];

/** Alerts in the forms that operators publish. */
export const ALERTS: readonly AlertRule[] = [
  { alert: 'ReconcileErrors', query: 'rate(controller_runtime_reconcile_total{result="error"}[5m])', above: 0 },
  {
    alert: 'ReconcileErrorRatio',
    query:
      'sum by (namespace, controller) (rate(controller_runtime_reconcile_total{result="error"}[5m])) / sum by (namespace, controller) (rate(controller_runtime_reconcile_total[5m]))',
    above: 0.5,
  },
  {
    alert: 'ControllerReconciliationErrors',
    query: 'sum(rate(controller_runtime_reconcile_errors_total{controller=~".*sample.*"}[5m])) by (controller)',
    above: 0.1,
  },
  { alert: 'TerminalErrors', query: 'increase(controller_runtime_terminal_reconcile_errors_total[5m])', above: 0 },
  { alert: 'Panics', query: 'increase(controller_runtime_reconcile_panics_total[5m])', above: 0 },
  {
    alert: 'SlowReconciliation',
    query:
      'histogram_quantile(0.99, sum(rate(controller_runtime_reconcile_time_seconds_bucket[5m])) by (controller, le))',
    above: 60,
  },
  {
    alert: 'WorkersSaturated',
    query: 'controller_runtime_active_workers / controller_runtime_max_concurrent_reconciles',
    above: 0.9,
  },
  { alert: 'LeaderChanges', query: 'changes(leader_election_master_status[5m])', above: 2 },
  { alert: 'NoLeader', query: '1 - sum by (name) (leader_election_master_status)', above: 0 },
  { alert: 'WorkqueueBacklog', query: 'workqueue_depth{name=~".*sample.*"}', above: 100 },
  { alert: 'WorkqueueTooManyRetries', query: 'rate(workqueue_retries_total[10m])', above: 10 },
  { alert: 'UnfinishedWorkIncrease', query: 'rate(workqueue_unfinished_work_seconds[10m])', above: 0 },
  { alert: 'ProcessorStuck', query: 'workqueue_longest_running_processor_seconds', above: 300 },
];
