// npm run build:control-plane: builds the programs of a real control plane from public Go modules into a cache folder outside of the
// repository. Uses the programs in the cache if the version and the sources have not changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
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
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kubewright', 'control-plane');

/** Builds the programs if necessary, and returns their folder. If Go is not installed, prints a message and returns undefined. */
export function buildControlPlane() {
  const version = /^\tk8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1];
  const folder = join(cache, version);
  const stamp = join(folder, 'sources');
  const digest = digestOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) {
    console.log(`control plane: using ${version} from the cache`);
    return folder;
  }
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    console.log('control plane: not built, because go is not on PATH');
    return undefined;
  }
  const start = performance.now();
  console.log(`control plane: building ${version}; the first build takes several minutes …`);
  build(version, folder);
  writeFileSync(stamp, digest);
  console.log(`control plane: built ${version} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return folder;
}

/** Builds the programs in a temporary folder, and then renames the folder, so that an interrupted build leaves no incomplete folder. */
function build(version, folder) {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const flags = linkerFlags(version);
  go(['build', '-trimpath', '-ldflags', flags, '-o', join(fresh, 'control-plane'), '.']);
  go(['build', '-trimpath', '-ldflags', flags, '-o', join(fresh, 'sample-controller'), 'k8s.io/sample-controller']);
  for (const name of components) symlinkSync('control-plane', join(fresh, name));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** Returns the linker flags that set the version of the programs. Without a version, a server behaves like another version. */
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
  const { status } = spawnSync('go', args, {
    cwd: module,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false' },
  });
  if (status === 0) return;
  console.error('control plane: the build failed; see the output above');
  process.exit(1);
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

Builds the programs of a real control plane from their public Go modules into the cache folder, once per version. Requires Go.

Options:
  -h, --help  print this help`);
  if (buildControlPlane() === undefined) process.exitCode = 1;
}
