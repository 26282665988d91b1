import { defineKind } from '@kubewright/api';
import * as project from '@kubewright/example-project';
import { PrintedStore } from './printed-store.js';
import type { StoredObject, Scenario } from './scenario.js';

const store = new PrintedStore();
const [Project] = project.kinds;

/** The kind as defined by the article that the program `virtual-machine/dynamic` follows. */
const Machine = defineKind<{ readonly name?: string; readonly memory?: number; readonly status?: string }>({
  group: 'cloud.waibizi.com',
  version: 'v1',
  kind: 'VirtualMachine',
  spec: {
    type: 'object',
    properties: { name: { type: 'string' }, memory: { type: 'integer' }, status: { type: 'string' } },
  },
});

/**
 * Returns the scenarios of the programs other than `main` that run until they are stopped. Some programs use the scenario of the operator
 * of the same example.
 */
export function programScenarios(of: (name: string) => Scenario): readonly Scenario[] {
  const program = (name: string): Scenario => {
    const { controllers: _, ...shared } = of(name.split('/')[0] ?? '');
    return { ...shared, name };
  };
  return [
    {
      ...program('virtual-machine/plain'),
      // The program cannot change the memory of a running Pod.
      edit: (spec) => ({ ...spec, image: `${String(spec.image)}-updated` }),
    },
    {
      name: 'virtual-machine/dynamic',
      kinds: [Machine],
      samples: ['one', 'two'].map(
        (name) => new Machine({ metadata: { name, namespace: 'default' }, spec: { name, status: 'creating' } }),
      ),
      resource: 'cloud.waibizi.com/v1/virtualmachines',
      // The program creates no children.
      children: '/v1/pods',
      made: [],
      edit: (spec) => ({ ...spec, memory: ((spec.memory as number | undefined) ?? 0) + 1, status: 'creating' }),
      isConverged: ({ spec }) => (spec as { readonly status?: string }).status === 'complete',
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
      // The store program creates no children.
      children: '/v1/pods',
      made: [],
      edit: (spec) => ({ ...spec, replicas: (spec.replicas as number) + 1 }),
      isConverged: ({ metadata, spec }) => store.has(metadata.name, (spec as { readonly replicas: number }).replicas),
      unmet: (projects: readonly StoredObject[]) =>
        store.names
          .filter((name) => !projects.some(({ metadata }) => metadata.name === name))
          .map((name) => `${name} is still in the store`),
    },
  ];
}
