// Downloads Prometheus with apt into the cache folder outside of the repository, for the test that scrapes an operator. Does not install a
// system package or start a service. If the download fails, prints the reason and exits with 0; the test is then skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';

const LONGEST_MS = 180_000;
const cache = join(cacheFolder, 'prometheus');

try {
  console.log(`prometheus: ${install()}`);
} catch (error) {
  console.log(`prometheus: not installed: ${error.message}`);
}

function install() {
  if (runs('prometheus', ['--version'])) return 'using the system installation';
  if (existsSync(join(cache, 'usr', 'bin', 'prometheus'))) return 'using the copy in the cache';
  if (!runs('apt-get', ['--version']) || !runs('dpkg-deb', ['--version'])) throw new Error('apt is not available');
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-prometheus-'));
  try {
    return unpack(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unpack(folder) {
  const isRoot = process.getuid?.() === 0;
  const downloaded = download(folder) || (isRoot && runs('apt-get', ['update', '-qq']) && download(folder));
  if (!downloaded) throw new Error('apt cannot download the package prometheus');
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  if (!runs('dpkg-deb', ['-x', join(folder, name), join(folder, 'files')])) throw new Error(`cannot unpack ${name}`);
  mkdirSync(dirname(cache), { recursive: true });
  rmSync(cache, { recursive: true, force: true });
  move(join(folder, 'files'), cache);
  return `unpacked ${name}`;
}

/** Moves a folder to the cache. Copies the folder if the cache is on another file system. */
function move(from, to) {
  try {
    renameSync(from, to);
  } catch {
    if (!runs('cp', ['-a', from, to])) throw new Error(`cannot write ${to}`);
  }
}
function download(folder) {
  return runs('apt-get', ['download', '-qq', 'prometheus'], folder);
}
function runs(command, args, cwd) {
  return spawnSync(command, args, { cwd, stdio: 'ignore', timeout: LONGEST_MS }).status === 0;
}
