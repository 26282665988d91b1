// Builds programs from public Go modules into a cache folder outside of the repository, once per version and sources.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';

/**
 * Builds programs if necessary, and returns their folder. If Go is not installed, prints a message and returns undefined.
 * - `name`: the name of the programs in messages, and of their folder in the cache
 * - `version`: the version of the module, which is the name of the subfolder
 * - `digest`: the digest of the sources; a change causes a build
 * - `build`: builds all programs into the given folder
 */
export function goPrograms({ name, version, digest, build }) {
  const label = name.replaceAll('-', ' ');
  const folder = join(cacheFolder, name, version);
  const stamp = join(folder, 'sources');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) {
    console.log(`${label}: using ${version} from the cache`);
    return folder;
  }
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    console.log(`${label}: not built, because go is not on PATH`);
    return undefined;
  }
  const start = performance.now();
  console.log(`${label}: building ${version}; the first build takes several minutes …`);
  // Builds into a temporary folder, and then renames the folder, so that an interrupted build leaves no incomplete folder.
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  build(fresh);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  writeFileSync(stamp, digest);
  console.log(`${label}: built ${version} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return folder;
}

/** Runs Go in a folder, and returns its output. If Go fails, prints a message with the label and ends this process. */
export function runGo(args, { cwd, label, capture = false, env = {} }) {
  const { status, stdout } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', ...env },
  });
  if (status === 0) return stdout;
  console.error(`${label}: the build failed; see the output above`);
  process.exit(1);
}
