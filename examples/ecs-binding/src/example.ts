import { EcsBinding } from './api/v1/ecs-binding.js';
import { EcsBindingController } from './controllers/ecs-binding-controller.js';

export { EcsBinding } from './api/v1/ecs-binding.js';

export const kinds = [EcsBinding];
export const controllers = [EcsBindingController];
export const samples = [
  new EcsBinding({ metadata: { name: 'ecs-1' }, spec: { id: 'i-1', nodename: 'node-1', innerip: '10.0.0.1' } }),
  new EcsBinding({ metadata: { name: 'ecs-2' }, spec: { id: 'i-2', nodename: 'node-2', innerip: '10.0.0.2' } }),
];

/** `direct` is the operator without a controller, and `clientset` is the client of the article. */
export const alternatives = { direct: { kinds, objects: samples }, clientset: { kinds } };

/** Reports whether a sample is in the desired state. */
export function isConverged({ metadata, spec }: EcsBinding): boolean {
  const { cluster, node } = metadata.labels ?? {};
  return cluster === 'k8s-cluster' && node === spec.nodename;
}
