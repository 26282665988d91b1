/** The controllers that make workloads run, each by the plural of the kind that it looks after. */
export const workloadNames = [
  'pods',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'jobs',
  'deployments',
  'cronjobs',
  'persistentvolumeclaims',
  'services',
] as const;

/** One of the workload controllers. */
export type WorkloadName = (typeof workloadNames)[number];

/** Which workload controllers run: all, none, or those named. */
export type Workloads = boolean | readonly WorkloadName[];

/** The names of the workload controllers that are to run. */
export function chosenWorkloads(workloads: Workloads): ReadonlySet<WorkloadName> {
  if (typeof workloads === 'boolean') return new Set(workloads ? workloadNames : []);
  return new Set(workloads);
}
