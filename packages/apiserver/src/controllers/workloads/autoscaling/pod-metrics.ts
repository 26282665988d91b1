/** The value of a metric of one Pod. */
export interface PodMetric {
  /** The value in thousandths of the unit. */
  readonly value: number;
  /** The end of the time window in which the value was measured. */
  readonly atMs: number;
  readonly windowMs: number;
}

/** The values of one metric by the name of the Pod. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** The reason why the desired replicas cannot be computed from a metric, in the words of kube-controller-manager. */
export class MetricsError extends Error {}
