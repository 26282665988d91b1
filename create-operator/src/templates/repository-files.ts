import { packageManagers } from '../scaffold/package-managers.js';
import type { PackageManager } from '../scaffold/scaffold-options.js';

/** What git leaves alone. */
export function gitIgnoreFile({ packageManager = 'npm' }: { readonly packageManager?: PackageManager }): string {
  const { ignored } = packageManagers[packageManager];
  return `.kubewright/
dist/
node_modules/
${ignored === undefined ? '' : `${ignored}\n`}*.log
.DS_Store
`;
}

/** Tests each change, and that what is generated is as the code says. */
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

/** Settings of VS Code: generated files are read-only, and imports are written as Node.js and the injection of services need them. */
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
