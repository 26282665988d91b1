// The packages that are published, and how they are packed: what is checked, and what the scaffold is tested with.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root } from './setup.mjs';

/** The folders of the packages, from the root, and what their package.json says. */
function publishedPackages() {
  const folders = readdirSync(join(root, 'packages')).toSorted();
  return [...folders.map((name) => `packages/${name}`), 'create-operator'].map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }));
}

/** Packs them into a folder. Gives for each what npm says of its tarball: `name`, `filename`, `size`, `unpackedSize`, `files`. */
export async function packInto(destination) {
  const packages = publishedPackages();
  // It is there only once all is built.
  const { removeOrphanedOutputs } = await import('../packages/cli/dist/project/orphaned-outputs.js');
  for (const { folder } of packages) {
    await removeOrphanedOutputs({ sourceFolder: join(root, folder, 'src'), outFolder: join(root, folder, 'dist') });
  }
  const named = packages.map(({ folder }) => `--workspace=${folder}`);
  const [command, ...args] = npm;
  args.push('pack', '--json', '--pack-destination', destination, ...named);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`npm pack failed: ${error?.message ?? stderr}`);
  const packed = Object.values(JSON.parse(stdout));
  return packages.map(({ folder, manifest }) => ({
    folder,
    manifest,
    ...packed.find(({ name }) => name === manifest.name),
  }));
}
