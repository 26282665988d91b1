import { groupOf } from '../scaffold/kind-names.js';
import { apiPath, controllerPath } from '../scaffold/kind-paths.js';
import { packageManagers } from '../scaffold/package-managers.js';
import type { ScaffoldOptions } from '../scaffold/scaffold-options.js';

/** Returns the README of a project: what the project does, how to run it, and where its files are. */
export function readmeFile(options: ScaffoldOptions): string {
  const { name, kind, version, packageManager = 'npm' } = options;
  const { run, test, exec } = packageManagers[packageManager];
  return `# ${name}

A Kubernetes operator that runs a Deployment for each \`${kind}\` (\`${groupOf(options)}/${version}\`).

## Develop

    ${run} dev
    ${test}
    ${run} explore

\`dev\` does not need a cluster. It starts a local API server, applies the sample, and restarts the operator after every save. It also
prints a \`kubectl\` command line for the server. The tests use the same API server. \`explore\` searches for problems of the operator: it
changes each field of the \`${kind}\`, and stops and crashes the operator.

## Deploy

    ${exec} kubewright build --image registry.example.com/${name}:v1 --push
    ${exec} kubewright deploy --image registry.example.com/${name}:v1
    kubectl apply -f config/samples

## Project layout

- \`${apiPath(options)}\`: the kind
- \`${controllerPath(kind)}\`: the controller
- \`src/main.ts\`: the program
- \`config/\`: the manifests that \`${run} generate\` generates from the code. You own \`config/samples\` and
  \`config/default/kustomization.yaml\`; the command overwrites the other files.

\`${exec} kubewright add api\` adds a kind. \`${exec} kubewright --help\` lists all commands.
`;
}
