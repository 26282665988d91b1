import { groupOf } from '../scaffold/kind-names.js';
import { apiPath, controllerPath } from '../scaffold/kind-paths.js';
import { packageManagers } from '../scaffold/package-managers.js';
import type { ScaffoldOptions } from '../scaffold/scaffold-options.js';

/** Returns the README of a project: what the project does, how to run it, and where its files are. */
export function readmeFile(options: ScaffoldOptions): string {
  const { name, kind, version, packageManager = 'npm' } = options;
  const { run, test, exec } = packageManagers[packageManager];
  return `# ${name}

A Kubernetes operator: it runs a Deployment for each \`${kind}\` (\`${groupOf(options)}/${version}\`).

## On this machine

    ${run} dev
    ${test}

\`dev\` needs no cluster. It starts an API server, the operator and the sample, follows each change of the code, and prints how
\`kubectl\` gets there. The tests run against the same API server.

## In a cluster

    ${exec} kubewright build --image registry.example.com/${name}:v1 --push
    ${exec} kubewright deploy --image registry.example.com/${name}:v1
    kubectl apply -f config/samples

## What is where

- \`${apiPath(options)}\`: what can be asked for
- \`${controllerPath(kind)}\`: what is done about it
- \`src/main.ts\`: what runs
- \`config/\`: the manifests that \`${run} generate\` makes of the code. \`config/samples\` and
  \`config/default/kustomization.yaml\` are yours; the rest is written anew.

\`${exec} kubewright add api\` adds a kind, \`${exec} kubewright --help\` tells the rest.
`;
}
