// Compiles the webhook tests of controller-runtime from its public Go module, without changes. test/control-plane/controller-runtime runs them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { copyFiles, goPrograms, runGo } from './go-programs.mjs';
import { root } from './setup.mjs';

const module = join(root, 'test', 'control-plane', 'controller-runtime');
const name = 'controller-runtime-tests';
const label = name.replaceAll('-', ' ');
const path = 'sigs.k8s.io/controller-runtime';
/**
 * The packages with tests, relative to the module. The program of a package is named after its last folder, and runs in a folder of that
 * name, which contains the test data of the package.
 */
const packages = [
  'pkg/builder',
  'pkg/envtest',
  'pkg/webhook',
  'pkg/webhook/admission',
  'pkg/webhook/authentication',
  'pkg/webhook/conversion',
  'pkg/manager/internal/integration',
];

/** Compiles the tests if necessary, and returns their folder. If Go is not installed, prints a message and returns undefined. */
export function buildControllerRuntimeTests() {
  const files = ['go.mod', 'go.sum'].map((file) => readFileSync(join(module, file), 'utf8'));
  const version = new RegExp(`^require ${path} (v\\S+)$`, 'm').exec(files[0])?.[1];
  const digest = createHash('sha256')
    .update(JSON.stringify([files, packages]))
    .digest('hex');
  return goPrograms({ name, version, digest, build });
}

/**
 * Compiles the tests in the folder of the downloaded module, so that the go.mod of the module selects the versions of all dependencies.
 * Skips the checks of `go vet`, which take longer than the compilation and which upstream runs.
 */
function build(folder) {
  const downloaded = JSON.parse(runGo(['mod', 'download', '-json', path], { cwd: module, label, capture: true }));
  const programs = packages.map((name) => `./${name}`);
  for (const name of packages) {
    copyFiles(join(downloaded.Dir, name, 'testdata'), join(folder, basename(name), 'testdata'));
  }
  runGo(['test', '-c', '-vet=off', '-ldflags', '-s -w', '-o', `${folder}/`, ...programs], {
    cwd: downloaded.Dir,
    label,
  });
}
