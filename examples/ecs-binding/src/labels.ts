import type { EcsBinding } from './api/v1/ecs-binding.js';

/** The labels that follow from the spec. One that is undefined goes. */
export function labelsOf({ spec }: EcsBinding): Record<string, string | undefined> {
  return { cluster: 'k8s-cluster', node: spec.nodename, 'inner-ip': spec.innerip };
}
