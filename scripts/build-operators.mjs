// npm run build:operators: builds public operators, without changes, from their Go modules into the cache folder outside of the repository.
// The tests test/control-plane/converges-*.test.ts run them against the embedded API server.
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPrograms, copyFiles, goPrograms, tryGo } from './go-programs.mjs';
import { showHelp } from './help.mjs';
import { isMain } from './setup.mjs';

const prometheusOperator = 'github.com/prometheus-operator/prometheus-operator';

/**
 * The operators.
 * - `sum`: the checksum of the module, as in a go.sum
 * - `commands`: the packages of the programs, by the name of the program
 * - `manifests`: the folders with the manifests, which are copied next to the programs
 * - `required`: modules that the go.mod replaces with folders that the published module does not contain, with their lines in a go.sum
 */
const OPERATORS = [
  {
    name: 'jobset',
    path: 'sigs.k8s.io/jobset',
    version: 'v0.12.0',
    sum: 'h1:YYPuV0px8Ongq/RXmJg6V0w2UC67aiR+rCMD06vhQQQ=',
    commands: { jobset: '.' },
    manifests: ['config'],
  },
  {
    // The commands of later releases are separate modules, which are not published.
    name: 'cert-manager',
    path: 'github.com/cert-manager/cert-manager',
    version: 'v1.11.5',
    sum: 'h1:K2LurvwIE4hIhODQZnkOW6ljYe3lVMAliS/to+gI05o=',
    commands: { controller: './cmd/controller', webhook: './cmd/webhook', cainjector: './cmd/cainjector' },
    manifests: ['deploy/charts', 'deploy/crds'],
  },
  {
    name: 'prometheus-operator',
    path: prometheusOperator,
    version: 'v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    commands: { 'prometheus-operator': './cmd/operator' },
    manifests: ['example/prometheus-operator-crd', 'example/rbac/prometheus-operator'],
    required: {
      [`${prometheusOperator}/pkg/apis/monitoring`]: [
        'v0.85.0 h1:oY+F5FZFmCjCyzkHWPjVQpzvnvEB/0FP+iyzDUUlqFc=',
        'v0.85.0/go.mod h1:VB7wtBmDT6W2RJHzsvPZlBId+EnmeQA0d33fFTXvraM=',
      ],
      [`${prometheusOperator}/pkg/client`]: [
        'v0.85.0 h1:OdW3Vnmoa2pM5PfRyQaSEO+UN5yamEUS1MuhwE0PxbY=',
        'v0.85.0/go.mod h1:5ctipSFkXKeXig01Or0aXKNaaBQFWZAAK1zzYWz9YZY=',
      ],
    },
  },
];

/** Builds each operator if necessary. If an operator cannot be built, prints a message, and builds the others. */
function buildOperators() {
  for (const operator of OPERATORS) goPrograms({ ...programsOf(operator), build: (folder) => build(operator, folder) });
}

/**
 * Returns the environment variables that contain the folders of the operators in the cache, such as KUBEWRIGHT_CERT_MANAGER. Prints a
 * message for each operator that is not in the cache.
 */
export function builtOperators() {
  const environment = {};
  for (const operator of OPERATORS) {
    const folder = builtPrograms(programsOf(operator));
    if (folder === undefined) console.log(`${operator.name}: not built; use npm run build:operators`);
    else environment[`KUBEWRIGHT_${operator.name.toUpperCase().replaceAll('-', '_')}`] = folder;
  }
  return environment;
}

function programsOf(operator) {
  const digest = createHash('sha256').update(JSON.stringify(operator)).digest('hex');
  return { name: operator.name, version: operator.version, digest };
}

/**
 * Builds an operator in the folder of its downloaded module, so that the go.mod of the module selects the versions of all dependencies.
 * Returns whether the build succeeded.
 */
function build({ path, version, sum, commands, manifests, required }, folder) {
  // Outside of the repository, because a go.mod there would select versions.
  const output = tryGo(['mod', 'download', '-json', `${path}@${version}`], { cwd: folder, capture: true });
  if (output === undefined) return false;
  const downloaded = JSON.parse(output);
  if (downloaded.Sum !== sum) {
    console.error(`${path} ${version} has the checksum ${downloaded.Sum}, not ${sum}`);
    return false;
  }
  for (const name of manifests) copyFiles(join(downloaded.Dir, name), join(folder, name));
  const flags = required === undefined ? [] : withRequired(required, downloaded.Dir, folder);
  return Object.entries(commands).every(([program, command]) => {
    const args = ['build', '-p', '1', ...flags, '-trimpath', '-ldflags', '-s -w', '-o', join(folder, program), command];
    return tryGo(args, { cwd: downloaded.Dir }) !== undefined;
  });
}

/** Writes a go.mod without the replacements of the required modules, and returns the flags of the build that select it. */
function withRequired(required, module, folder) {
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(module, file), join(folder, file));
  const file = join(folder, 'go.mod');
  tryGo(['mod', 'edit', ...Object.keys(required).map((path) => `-dropreplace=${path}`), file], { cwd: folder });
  const lines = Object.entries(required).flatMap(([path, sums]) => sums.map((sum) => `${path} ${sum}\n`));
  appendFileSync(join(folder, 'go.sum'), lines.join(''));
  return ['-modfile', file];
}

if (isMain(import.meta.url)) {
  showHelp(`npm run build:operators

Builds cert-manager, prometheus-operator and JobSet from their public Go modules into the cache folder, once per version. Prints a message
for an operator that cannot be built. npm run test:control-plane then skips the tests of this operator. Requires Go.

Options:
  -h, --help  print this help`);
  buildOperators();
}
