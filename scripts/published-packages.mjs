// The packages that are published, and how they are packed: what is checked, and what the scaffold is tested with.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { files, root } from './setup.mjs';

/** The folders of the packages, from the root, and what their package.json says. */
function publishedPackages() {
  const folders = readdirSync(join(root, 'packages')).toSorted();
  return [...folders.map((name) => `packages/${name}`), 'create-operator'].map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }));
}

/** Packs them into a folder. Gives for each what npm says of its tarball: `name`, `filename`, `size`, `unpackedSize`, `files`. */
export function packInto(destination, packages = publishedPackages()) {
  for (const { folder } of packages) removeStale(folder);
  const named = packages.map(({ folder }) => `--workspace=${folder}`);
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', destination, ...named], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const packed = Object.values(JSON.parse(stdout));
  return packages.map(({ folder, manifest }) => ({
    folder,
    manifest,
    ...packed.find(({ name }) => name === manifest.name),
  }));
}

/** The compiler leaves what it made of a file that is gone; nobody may get that. */
function removeStale(folder) {
  const compiled = join(root, folder, 'dist');
  const ofSource = (path) => path.replace(/(\.d)?\.([mc]?)[jt]s(\.map)?$/, '.$2ts');
  for (const path of existsSync(compiled) ? filesUnder(compiled) : []) {
    if (!existsSync(join(root, folder, 'src', ofSource(path)))) rmSync(join(compiled, path));
  }
}

function filesUnder(folder) {
  return files(folder, (name) => /\.[mc]?[jt]s(\.map)?$/.test(name)).map((path) => path.slice(folder.length + 1));
}
