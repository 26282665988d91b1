// npm run build:control-plane: builds the programs of a real control plane from public Go modules into a cache folder outside of the
// repository. Uses the programs in the cache if the version and the sources have not changed.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buildControllerRuntimeTests } from './build-controller-runtime-tests.mjs';
import { buildHelm } from './build-helm.mjs';
import { goPrograms, runGo } from './go-programs.mjs';
import { showHelp } from './help.mjs';
import { isMain, root } from './setup.mjs';

const module = join(root, 'test', 'control-plane');
const components = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kwok-stages',
  'kubectl',
  'contender',
];

/** Builds the programs if necessary, and returns their folder. If Go is not installed, prints a message and returns undefined. */
export function buildControlPlane() {
  const version = /^\tk8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1];
  return goPrograms({
    name: 'control-plane',
    version,
    digest: digestOfSources(),
    build: (folder) => build(version, folder),
  });
}

function build(version, folder) {
  const flags = linkerFlags(version);
  go(['build', '-trimpath', '-ldflags', flags, '-o', join(folder, 'control-plane'), '.']);
  go(['build', '-trimpath', '-ldflags', flags, '-o', join(folder, 'sample-controller'), 'k8s.io/sample-controller']);
  for (const name of components) symlinkSync('control-plane', join(folder, name));
}

/** Returns the linker flags that set the version of the programs. Without these flags, a server behaves like one of another version. */
function linkerFlags(version) {
  const minor = version.split('.')[1];
  const values = {
    gitVersion: version,
    gitMajor: '1',
    gitMinor: minor,
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
  };
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  const set = packages.flatMap((name) => Object.entries(values).map(([key, value]) => `-X ${name}.${key}=${value}`));
  return ['-s', '-w', ...set].join(' ');
}

function go(args) {
  runGo(args, { cwd: module, label: 'control plane' });
}

function digestOfSources() {
  const hash = createHash('sha256');
  for (const name of readdirSync(module).toSorted()) {
    if (/^go\.(mod|sum)$|\.go$|\.yaml$/.test(name)) hash.update(name).update(readFileSync(join(module, name)));
  }
  return hash.digest('hex');
}

if (isMain(import.meta.url)) {
  showHelp(`npm run build:control-plane

Builds the programs of a real control plane from their public Go modules into the cache folder, once per version. Also builds Helm, and
compiles the webhook tests of controller-runtime, which run against the embedded API server. Requires Go.

Options:
  -h, --help  print this help`);
  const built = [buildControlPlane(), buildControllerRuntimeTests(), buildHelm()];
  if (built.includes(undefined)) process.exitCode = 1;
}
