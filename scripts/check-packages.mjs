// Packs each published package and looks at the tarball as npm's users get it: by publint, by are-the-types-wrong, and by what
// neither of them asks. Its output ends with the sizes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packInto } from './published-packages.mjs';
import { root } from './setup.mjs';

const folder = mkdtempSync(join(tmpdir(), 'kubewright-packages-'));
const found = [];
const sizes = [];
try {
  for (const each of await packInto(folder)) {
    const tarball = join(folder, each.filename);
    const problems = [...(await publintSays(tarball)), ...attwSays(tarball, each), ...contentsSay(each)];
    found.push(...problems.map((problem) => `${each.name}: ${problem}`));
    sizes.push(
      `${each.name}: ${inKilobytes(each.size)} packed, ${inKilobytes(each.unpackedSize)} on disk, ${each.files.length} files`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const line of [...found, ...sizes]) console.log(line);
process.exitCode = found.length === 0 ? 0 : 1;

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

/** What `exports` offers by a pattern, such as ./apps/v1: it asks only about what is named. */
function matchesOfPattern({ exports = {} }, files) {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (!subpath.includes('*')) return [];
    const [before, after] = target.replace('./', '').split('*');
    return files
      .filter(({ path }) => path.startsWith(before) && path.endsWith(after))
      .map(({ path }) => subpath.replace('*', path.slice(before.length, path.length - after.length)));
  });
}

/** What is in the tarball, what is not, and whether all that its files import can be found from there. */
function contentsSay({ folder: from, manifest, files }) {
  const packed = new Set(files.map(({ path }) => path));
  const missing = ['README.md', 'LICENSE'].filter((path) => !packed.has(path)).map((path) => `${path} is missing`);
  const unwanted = [...packed].filter((path) => /\.(test\.[\w.]+|map|tsbuildinfo)$|(^|\/)\./.test(path));
  return [
    ...missing,
    ...unwanted.map((path) => `${path} is packed, and of no use to anybody`),
    ...licenceSays(from),
    ...(manifest.name.startsWith('@') && manifest.publishConfig?.access !== 'public'
      ? ['publishConfig.access is not public, so npm publish would ask for a paid account']
      : []),
    ...[...packed]
      .filter((path) => /\.(d\.ts|[mc]?js)$/.test(path))
      .flatMap((path) => importsSay(from, path, packed, manifest)),
  ];
}

function licenceSays(from) {
  const same = readFileSync(join(root, 'LICENSE'), 'utf8') === readIfThere(join(root, from, 'LICENSE'));
  return same ? [] : ['LICENSE differs from that of the repository'];
}

function importsSay(from, path, packed, manifest) {
  return specifiersOf(join(root, from, path)).flatMap((specifier) => {
    if (specifier.startsWith('.')) {
      const target = posix.join(dirname(path), specifier);
      const candidates = path.endsWith('.d.ts') ? [target.replace(/\.js$/, '.d.ts')] : [target];
      return candidates.some((each) => packed.has(each)) ? [] : [`${path} imports ${specifier}, which is not packed`];
    }
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    if (specifier.startsWith('node:') || builtinModules.includes(name) || name === manifest.name) return [];
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
    return name in declared ? [] : [`${path} imports ${specifier}, which package.json does not ask for`];
  });
}

function specifiersOf(path) {
  const text = readFileSync(path, 'utf8');
  const { module } = parseSync(path, text);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const written = text.slice(start, end);
      return /^(['"]).*\1$/.test(written) ? [written.slice(1, -1)] : [];
    }),
  ];
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function inKilobytes(bytes) {
  return `${Math.ceil(bytes / 1000)} kB`;
}
