import { Foo } from './api/v1alpha1/foo.js';
import { FooController } from './controllers/foo-controller.js';

export { Foo, type FooSpec } from './api/v1alpha1/foo.js';
export { cache } from './cache.js';
export { FooController } from './controllers/foo-controller.js';

export const kinds = [Foo];
export const controllers = [FooController];
export const samples = [
  new Foo({
    metadata: { name: 'example', namespace: 'default' },
    spec: { deploymentName: 'example-foo', replicas: 2 },
  }),
  new Foo({ metadata: { name: 'second', namespace: 'default' }, spec: { deploymentName: 'second-foo' } }),
];

/** Reports whether the Deployment of a Foo has the requested number of available replicas. */
export function isConverged({ spec: { replicas = 1 }, status }: Foo): boolean {
  return status?.availableReplicas === replicas;
}
