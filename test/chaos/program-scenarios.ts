import { isReady } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
import * as project from '@kubewright/example-project';
import { SaidStore } from './said-store.js';
import type { Living, Scenario } from './scenario.js';

const store = new SaidStore();
const [Project] = project.kinds;

/** Those of the examples' programs that work on and have no manager, or one of their own; most share a scenario with the operator beside them. */
export function programScenarios(of: (name: string) => Scenario): readonly Scenario[] {
  const program = (name: string): Scenario => {
    const { controllers: _, ...shared } = of(name.split('/')[0] ?? '');
    return { ...shared, name };
  };
  return [
    {
      ...program('virtual-machine/plain'),
      // It has no way to change the memory of a Pod that runs.
      edit: (spec) => ({ ...spec, image: `${String(spec.image)}-updated` }),
    },
    {
      ...program('virtual-machine/dynamic'),
      children: '/v1/pods',
      child: ({ metadata: { name, namespace = 'default' } }) =>
        new Pod({
          metadata: { generateName: `${name}-`, namespace, labels: { 'cloud.waibizi.com/machine': name } },
          spec: { containers: [{ name: 'machine', image: 'centos-7.9' }] },
        }),
      isConverged: ({ metadata, status }, childrenOf) => {
        const runs = childrenOf(metadata.uid, '/v1/pods').some((pod) => isReady(pod as never));
        return (status as { readonly phase?: string } | undefined)?.phase === (runs ? 'Complete' : 'Creating');
      },
    },
    program('ecs-binding/direct'),
    {
      name: 'project/store',
      kinds: [...project.kinds],
      samples: ['one', 'two'].map(
        (name) => new Project({ metadata: { name, namespace: 'default' }, spec: { replicas: 1 } }),
      ),
      listener: store,
      resource: 'examples-gzh.com/v1alpha1/projects',
      // It has none.
      children: '/v1/pods',
      made: [],
      edit: (spec) => ({ ...spec, replicas: (spec.replicas as number) + 1 }),
      isConverged: ({ metadata, spec }) => store.has(metadata.name, (spec as { readonly replicas: number }).replicas),
      unmet: (projects: readonly Living[]) =>
        store.names
          .filter((name) => !projects.some(({ metadata }) => metadata.name === name))
          .map((name) => `${name} is still in the store`),
    },
  ];
}
