import assert from 'node:assert/strict';
import type { KindRef } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { isUserFile, type ManifestsInput, manifestsOf } from '@kubewright/cli';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { Manager } from '@kubewright/runtime';
import { permissionsOf } from '@kubewright/runtime/permissions';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** An example as a deployable operator. */
interface ExampleOperator {
  readonly kinds: readonly KindRef[];
  readonly manager: () => Manager;
}

const examples: ReadonlyMap<string, ExampleOperator> = new Map<string, ExampleOperator>([
  [
    'with protected metrics',
    {
      ...virtualMachine,
      manager: () =>
        new Manager({ leaderElection: 'vm-operator', metrics: { protect: true }, gracePeriod: '1m' }).add(
          ...virtualMachine.controllers,
        ),
    },
  ],
  [
    'with its Lease in another namespace',
    {
      ...foo,
      manager: () =>
        new Manager({ leaderElection: { name: 'sample-controller', namespace: 'default' } }).add(...foo.controllers),
    },
  ],
  [
    'for two namespaces',
    {
      ...virtualMachine,
      manager: () => new Manager({ namespaces: ['default', 'kube-public'] }).add(...virtualMachine.controllers),
    },
  ],
  [
    'without endpoints and without custom kinds',
    { ...foo, kinds: [], manager: () => new Manager({ metrics: false, health: false }).add(...foo.controllers) },
  ],
]);

/** The names of the examples. Each name says how the deployment of the example differs from the other deployments. */
export const exampleNames: readonly string[] = [...examples.keys()];

/** Returns the input for the manifests of an example. The names of the objects start with `name`. */
export function exampleInput(example: string, name: string): ManifestsInput {
  const { kinds, manager } = examples.get(example) ?? assert.fail(`unknown example ${example}`);
  const operator = manager().describe();
  return {
    settings: {
      name,
      domain: 'waibizi.com',
      image: 'registry.example.com:5000/operators/example:1.2.3',
      namespace: `${name}-system`,
      namespaced: false,
    },
    crds: kinds.map((kind) => crdFor(kind)),
    operator,
    permissions: permissionsOf(operator),
  };
}

/** Writes the manifests of an example to a folder. `edit` returns the changed text of a file that belongs to the user. */
export async function writeManifests(
  input: ManifestsInput,
  folder: string,
  edit: (path: string, text: string) => string = (_, text) => text,
): Promise<void> {
  for (const [path, text] of manifestsOf(input)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, isUserFile(path) ? edit(path, text) : text);
  }
}
