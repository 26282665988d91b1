// node scripts/generate-go-types.mjs: generates go-types.json, which contains the Go types of the kinds in discovery.json. Requires Go.
// With `--check`, writes no file and exits with 1 if the file in the repository is out of date.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterData } from './cluster-data-folder.mjs';
import { root } from './setup.mjs';

const file = join(clusterData, 'go-types.json');
const made = `${JSON.stringify(JSON.parse(runGo()), undefined, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, made);
else if (readFileSync(file, 'utf8') !== made) {
  console.error('generate-go-types: go-types.json is out of date; run node scripts/generate-go-types.mjs');
  process.exitCode = 1;
}

function runGo() {
  const { error, status, stdout } = spawnSync('go', ['run', '-trimpath', './go-types', ...servedVersions()], {
    cwd: join(root, 'test', 'control-plane'),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false' },
  });
  if (status === 0) return stdout;
  const why = error?.code === 'ENOENT' ? 'go is not on PATH' : 'go failed; see the output above';
  console.error(`generate-go-types: cannot generate go-types.json: ${why}`);
  process.exit(1);
}

function servedVersions() {
  const discovery = JSON.parse(readFileSync(join(clusterData, 'discovery.json'), 'utf8'));
  return Object.values(discovery)
    .flatMap(({ items }) => items)
    .flatMap(({ metadata: { name }, versions }) =>
      versions.map(({ version }) => (name ? `${name}/${version}` : version)),
    );
}
