// Checks the files of an unpacked npm package.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Matches files that a published package must not contain: tests, source maps, build information, and hidden files. */
const UNWANTED = /\.(test\.[\w.]+|map|tsbuildinfo)$|(^|\/)(\.|test-support\/)/;

/** Returns the problems of the unpacked package in a folder. `license` is the license text that every package must contain. */
export function contentProblems(folder, { license }) {
  const paths = pathsIn(folder);
  const packed = new Set(paths);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const code = paths.filter((path) => /\.(d\.ts|[mc]?js)$/.test(path));
  return [
    ...['README.md', 'LICENSE'].filter((path) => !packed.has(path)).map((path) => `${path} is missing`),
    ...paths
      .filter((path) => UNWANTED.test(path))
      .map((path) => `${path} is a development file; exclude it from the package`),
    ...(packed.has('LICENSE') && readFileSync(join(folder, 'LICENSE'), 'utf8') !== license
      ? ['LICENSE differs from the license of the repository']
      : []),
    ...entryProblems(manifest, paths),
    ...code.flatMap((path) => fileProblems({ folder, path, packed, manifest })),
  ];
}

function pathsIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

/** Returns a problem for each entry of `exports` and `bin` in package.json whose file is not in the package. */
function entryProblems({ exports = {}, bin = {} }, paths) {
  const targets = [...Object.values(exports).flatMap(targetsOf), ...Object.values(bin)];
  return targets.flatMap((target) => {
    const [before, after] = target.replace(/^\.\//, '').split('*');
    const isPacked = paths.some((path) =>
      after === undefined ? path === before : path.startsWith(before) && path.endsWith(after),
    );
    return isPacked ? [] : [`package.json refers to ${target}, which is not in the package`];
  });
}

function targetsOf(target) {
  return typeof target === 'string' ? [target] : Object.values(target ?? {}).flatMap(targetsOf);
}

function fileProblems({ folder, path, packed, manifest }) {
  const text = readFileSync(join(folder, path), 'utf8');
  const [, map] = /^\/\/# sourceMappingURL=(.*)$/m.exec(text) ?? [];
  const isLost = map !== undefined && !map.startsWith('data:') && !packed.has(posix.join(dirname(path), map));
  return [
    ...(isLost ? [`${path} refers to the source map ${map}, which is not in the package`] : []),
    ...importProblems(text, { path, packed, manifest }),
  ];
}

function importProblems(text, { path, packed, manifest }) {
  return specifiersOf(path, text).flatMap((specifier) => {
    if (specifier.startsWith('.')) {
      const target = posix.join(dirname(path), specifier);
      const found = path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
      return packed.has(found) ? [] : [`${path} imports ${specifier}, which is not in the package`];
    }
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    if (specifier.startsWith('node:') || builtinModules.includes(name) || name === manifest.name) return [];
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
    return name in declared ? [] : [`${path} imports ${specifier}, which is not a dependency in package.json`];
  });
}

function specifiersOf(path, text) {
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
