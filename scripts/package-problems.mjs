// Checks the tarball of an npm package with publint, are-the-types-wrong, and additional checks.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { contentProblems } from './content-problems.mjs';
import { root } from './setup.mjs';

/** Returns the problems of a tarball. `packed` is the result of `packInto` for this tarball. */
export async function packageProblems(tarball, packed) {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-unpacked-'));
  try {
    const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '-C', folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`cannot unpack ${tarball}: ${stderr}`);
    const license = readFileSync(join(root, 'LICENSE'), 'utf8');
    return [
      ...(await publintSays(tarball)),
      ...attwSays(tarball, packed),
      ...contentProblems(join(folder, 'package'), { license }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a line with the packed size, the unpacked size, and the number of files of a package. */
export function sizeLine({ name, size, unpackedSize, files }) {
  return `${name}: ${inKilobytes(size)} packed, ${inKilobytes(unpackedSize)} on disk, ${files.length} files`;
}

async function publintSays(tarball) {
  const bytes = readFileSync(tarball);
  const packed = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: packed }, strict: true });
  return messages.map((message) => `publint (${message.type}): ${formatMessage(message, pkg, { color: false })}`);
}

function attwSays(tarball, { manifest, files }) {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules', '.bin', 'attw'),
    [
      tarball,
      '--profile=esm-only',
      '--no-definitely-typed',
      '--format=ascii',
      '--no-emoji',
      '--no-color',
      ...matchesOfPattern(manifest, files).flatMap((subpath) => ['--include-entrypoints', subpath]),
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  return status === 0 ? [] : [`are-the-types-wrong:\n${stdout}${stderr}`.trim()];
}

/**
 * Returns the entry points that match a pattern in `exports`, such as ./apps/v1. The check passes these entry points to
 * are-the-types-wrong, which by default checks only entry points without a pattern.
 */
function matchesOfPattern({ exports = {} }, files) {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (!subpath.includes('*')) return [];
    const [before, after] = target.replace('./', '').split('*');
    return files
      .filter(({ path }) => path.startsWith(before) && path.endsWith(after))
      .map(({ path }) => subpath.replace('*', path.slice(before.length, path.length - after.length)));
  });
}

function inKilobytes(bytes) {
  return `${Math.ceil(bytes / 1000)} kB`;
}
