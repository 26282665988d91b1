/** The content of a migration report. */
export interface ReportParts {
  readonly made: readonly string[];
  readonly tasks: readonly string[];
}

/** Returns the report of a migrated project. */
export function migrationReport({ made, tasks }: ReportParts): string {
  return `# From kubebuilder

Made by \`kubewright migrate\`; delete this file when all is done.

## What was made

${made.map((each) => `- ${each}\n`).join('')}
## What is left to do

${tasks.map((each) => `- [ ] ${each}\n`).join('')}`;
}

/** Returns the README of a migrated project. */
export function migratedReadme(name: string): string {
  return `# ${name}

A Kubernetes operator, brought over from kubebuilder: see [what is left to do](MIGRATION.md).

## On this machine

    npm run dev
    npm test

\`dev\` needs no cluster. It starts an API server, the operator and the samples, and follows each change of the code.

## In a cluster

    npx kubewright build --image registry.example.com/${name}:v1 --push
    npx kubewright deploy --image registry.example.com/${name}:v1

## What is where

- \`src/api/\`: what can be asked for
- \`src/external/\`: kinds of other operators, if there are any
- \`src/controllers/\`: what is done about it
- \`src/main.ts\`: what runs
- \`config/\`: the manifests that \`npm run generate\` makes of the code. \`config/samples\` and
  \`config/default/kustomization.yaml\` are yours; the rest is written anew.
`;
}
