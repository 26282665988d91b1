// Builds programs from public Go modules into a cache folder outside of the repository, once per version and sources.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';

/** The file in the folder of programs that contains the digest of their sources. */
const STAMP = 'sources';

/** Returns the folder of the programs if the cache contains them, and undefined otherwise. The parameters are those of `goPrograms`. */
export function builtPrograms({ name, version, digest }) {
  const folder = join(cacheFolder, name, version);
  const stamp = join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest ? folder : undefined;
}

/**
 * Builds programs if necessary, and returns their folder. If Go is not installed, prints a message and returns undefined.
 * - `name`: the name of the programs in messages, and of their folder in the cache
 * - `version`: the version of the module, which is the name of the subfolder
 * - `digest`: the digest of the sources; a change causes a build
 * - `build`: builds all programs into the given folder; if it returns false, `goPrograms` prints a message and returns undefined
 */
export function goPrograms({ name, version, digest, build }) {
  const label = name.replaceAll('-', ' ');
  const built = builtPrograms({ name, version, digest });
  if (built !== undefined) {
    console.log(`${label}: using ${version} from the cache`);
    return built;
  }
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    console.log(`${label}: not built, because go is not on PATH`);
    return undefined;
  }
  const start = performance.now();
  console.log(`${label}: building ${version}; the first build takes several minutes …`);
  // Builds into a temporary folder, and then renames the folder, so that an interrupted build leaves no incomplete folder.
  const folder = join(cacheFolder, name, version);
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  if (build(fresh) === false) {
    rmSync(fresh, { recursive: true });
    console.log(`${label}: not built, because the build failed; see the output above`);
    return undefined;
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  writeFileSync(join(folder, STAMP), digest);
  console.log(`${label}: built ${version} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return folder;
}

/** Runs Go in a folder, and returns its output. If Go fails, prints a message with the label and ends this process. */
export function runGo(args, { label, ...options }) {
  const output = tryGo(args, options);
  if (output !== undefined) return output;
  console.error(`${label}: go ${args[0]} failed; see the output above`);
  process.exit(1);
}

/** Runs Go in a folder, and returns its output if `capture` is set. If Go fails, prints its output and returns undefined. */
export function tryGo(args, { cwd, capture = false, env = {} }) {
  const { status, stdout } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', ...env },
  });
  if (status === 0) return stdout ?? '';
  if (capture) console.error(stdout);
  return undefined;
}

/**
 * Copies the files of a folder without their permissions, because downloaded modules are read-only. Creates the parent of the copy. Does
 * nothing if the folder does not exist.
 */
export function copyFiles(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFiles(source, copy);
    else writeFileSync(copy, readFileSync(source));
  }
}
