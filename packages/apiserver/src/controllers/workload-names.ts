/**
 * The names of the workload controllers: the plurals of the kinds that they manage. The order is the order of their work loops. A
 * controller that counts the results of other controllers comes after these controllers.
 */
export const workloadNames = [
  'pods',
  'replicasets',
  'replicationcontrollers',
  'statefulsets',
  'daemonsets',
  'jobs',
  'deployments',
  'cronjobs',
  'persistentvolumeclaims',
  'services',
  'certificatesigningrequests',
  'secrets',
  'nodes',
  'horizontalpodautoscalers',
] as const;

/** The name of a workload controller. */
export type WorkloadName = (typeof workloadNames)[number];

/** The workload controllers to run: all, none, or a list of names. */
export type Workloads = boolean | readonly WorkloadName[];

/** Returns the names of the workload controllers to run, in the order of `workloadNames`. */
export function selectedWorkloads(workloads: Workloads): ReadonlySet<WorkloadName> {
  if (typeof workloads === 'boolean') return new Set(workloads ? workloadNames : []);
  return new Set(workloadNames.filter((name) => workloads.includes(name)));
}
