import type { EcsBinding } from './api/v1/ecs-binding.js';

/** Returns the labels for a binding. A label whose value is undefined is removed. */
export function labelsOf({ spec }: EcsBinding): Record<string, string | undefined> {
  return { cluster: 'k8s-cluster', node: spec.nodename, 'inner-ip': spec.innerip };
}

/** Formats labels as kubectl does: 'cluster=k8s-cluster,node=node-1'. */
export function textOf(labels: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(labels).filter(([, value]) => value !== undefined);
  return present.map(([name, value]) => `${name}=${value}`).join(',');
}
