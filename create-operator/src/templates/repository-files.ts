import { packageManagers } from '../scaffold/package-managers.js';
import type { PackageManager } from '../scaffold/scaffold-options.js';

/** Returns the .gitignore of a project. */
export function gitIgnoreFile({ packageManager = 'npm' }: { readonly packageManager?: PackageManager }): string {
  const { ignored } = packageManagers[packageManager];
  return `.kubewright/
dist/
node_modules/
${ignored === undefined ? '' : `${ignored}\n`}*.log
.DS_Store
`;
}

/** Returns the CI workflow, which tests each change and verifies that the generated files are up to date. */
export function ciFile({ packageManager = 'npm' }: { readonly packageManager?: PackageManager }): string {
  const { setUp, ci, run, flags, test } = packageManagers[packageManager];
  return `name: CI
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
${setUp === undefined ? '' : `      - run: ${setUp}\n`}      - run: ${ci}
      - run: ${test}
      - run: ${run} generate${flags}--check
      - run: ${run} build
`;
}

/**
 * Returns the VS Code settings. Generated files are read-only. Automatic imports have the form that Node.js and dependency injection
 * require.
 */
export function vsCodeFile(): string {
  return `{
  "files.readonlyInclude": {
    "config/crd/**": true,
    "config/manager/**": true,
    "config/network-policy/**": true,
    "config/prometheus/**": true,
    "config/rbac/**": true
  },
  "search.exclude": { "dist": true },
  "typescript.preferences.importModuleSpecifierEnding": "js",
  "typescript.preferences.preferTypeOnlyAutoImports": false
}
`;
}
