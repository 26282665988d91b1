// Lists and packs the published packages. Releases, checks, and `npm run create` use this module.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { npm, root } from './setup.mjs';

/** Returns the folder, relative to the root, and the package.json of each published package. */
export function publishedPackages() {
  const folders = readdirSync(join(root, 'packages')).toSorted();
  return [...folders.map((name) => `packages/${name}`), 'create-operator'].map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }));
}

/**
 * Packs all published packages into a folder. Returns the output of npm for each tarball: `name`, `filename`, `size`, `unpackedSize`,
 * `files`.
 */
export async function packInto(destination) {
  const packages = publishedPackages();
  // Imported here, because the module does not exist before the build.
  const { removeOrphanedOutputs } = await import('../packages/cli/dist/project/orphaned-outputs.js');
  for (const { folder } of packages) {
    await removeOrphanedOutputs({ sourceFolder: join(root, folder, 'src'), outFolder: join(root, folder, 'dist') });
  }
  const stage = mkdtempSync(join(tmpdir(), 'kubewright-stage-'));
  try {
    const listed = npmPack(root, ['--dry-run', ...packages.map(({ folder }) => `--workspace=${folder}`)]);
    for (const { folder, manifest } of packages) stagePackage(folder, fileOf(listed, manifest).files, stage);
    const packed = npmPack(stage, ['--pack-destination', destination, ...packages.map(({ folder }) => `./${folder}`)]);
    return packages.map(({ folder, manifest }) => ({ folder, manifest, ...fileOf(packed, manifest) }));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Copies the files of a package to the stage folder. Removes comments that refer to source maps, because source maps are not published. */
function stagePackage(folder, files, stage) {
  for (const { path } of files) {
    const [from, to] = [join(root, folder, path), join(stage, folder, path)];
    mkdirSync(dirname(to), { recursive: true });
    if (!/\.(js|d\.ts)$/.test(path)) copyFileSync(from, to);
    else writeFileSync(to, readFileSync(from, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'));
  }
}

function npmPack(cwd, more) {
  const [command, ...args] = npm;
  const { status, stdout, stderr, error } = spawnSync(command, [...args, 'pack', '--json', ...more], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`npm pack failed: ${error?.message ?? stderr}`);
  return Object.values(JSON.parse(stdout));
}

function fileOf(packed, manifest) {
  return packed.find(({ name }) => name === manifest.name);
}
