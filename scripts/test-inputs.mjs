// Determines on which files of the repository the result of a test depends.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { files, root } from './setup.mjs';

/**
 * Files that tests read or run without importing them, for example to start a program of an example. Each entry contains a path prefix of
 * tests and the path prefixes of the files.
 */
const READ_BY_PATH = [
  [
    'test/docs/',
    ['docs/', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'examples/', 'packages/', 'create-operator/'],
  ],
  [
    'test/gate/',
    ['scripts/', '.ci/', 'package.json', 'packages/cli/bin/', 'packages/apiserver/bin/', 'create-operator/'],
  ],
  ['test/command-line/', ['packages/', 'create-operator/']],
  ['test/examples/', ['examples/', 'packages/', 'scripts/']],
  ['test/generated/', ['examples/', 'packages/', 'test/generated/']],
  ['test/chaos/', ['examples/', 'packages/']],
  ['test/scaffold/', ['create-operator/', 'packages/', 'test/scaffold/', 'docs/', 'scripts/', '.npmrc']],
  ['test/apiserver-process/', ['packages/apiserver/']],
  ['test/fuzz/', ['packages/apiserver/', 'test/fuzz/']],
  ['test/contract/', ['test/contract/answers/']],
  ['test/leader-election/', ['packages/', 'examples/']],
  ['packages/apiserver/', ['packages/apiserver/data/']],
  ['packages/cli/', ['create-operator/']],
  ['create-operator/', ['create-operator/src/templates/']],
];
/** Matches the files that every test depends on. */
const READ_BY_ALL =
  /^(package(-lock)?\.json|(test\/)?tsconfig.*\.json|scripts\/(file-limit|process-report|run-tests|setup|test-bundle|test-hooks)\.mjs)$/;
/** Matches the folders whose files depend on each other: a package, an example, a folder of tests, or a folder of the root. */
const FOLDER = /^((packages|examples|test)\/[^/]+|[^/]+)\//;
const RELATIVE = /['"`](\.{1,2}\/[^'"`\s]+)\.js['"`]/g;
const OF_PACKAGE = /['"]((?:@kubewright\/[a-z-]+|create-operator)(?:\/[^'"\s]+)?)['"]/g;

/** Reports whether every test depends on a file. */
export function isReadByAll(path) {
  return READ_BY_ALL.test(path);
}

/**
 * Reads the imports of all sources. Returns two functions that return predicates of paths. All paths are relative to the root, and contain
 * slashes.
 * - `filesOf(test)` accepts the files that a test imports directly or indirectly, and the files that it reads by path.
 * - `foldersOf(tests)` also accepts all other files of the folders of these files, except tests. It follows the imports of all files of a
 *   folder. Use `foldersOf` if no input may be missing, because it also accepts files that a program reads or loads at run time.
 */
export function testInputs() {
  const resolvePackage = packageResolver();
  const sources = files(root, (name) => name.endsWith('.ts')).map(fromRoot);
  const imports = new Map(sources.map((path) => [path, importsOf(path, resolvePackage)]));
  const folders = importsOfFolders(imports, resolvePackage);
  return {
    filesOf: (test) => {
      const reached = new Set([test]);
      for (const path of reached) for (const imported of imports.get(path) ?? []) reached.add(imported);
      const read = READ_BY_PATH.filter(([prefix]) => test.startsWith(prefix)).flatMap(([, prefixes]) => prefixes);
      return (path) => isReadByAll(path) || reached.has(path) || read.some((prefix) => path.startsWith(prefix));
    },
    foldersOf: (tests) => {
      const reached = new Set(tests.flatMap((test) => [test, ...(imports.get(test) ?? [])]).map(folderOf));
      const read = new Set();
      for (const folder of reached) {
        for (const imported of folders.get(folder) ?? []) reached.add(imported);
        for (const prefix of READ_BY_PATH.flatMap(([start, each]) => (folder.startsWith(start) ? each : []))) {
          read.add(prefix);
          for (const each of folders.keys()) if (each.startsWith(prefix)) reached.add(each);
        }
      }
      return (path) =>
        isReadByAll(path) ||
        tests.includes(path) ||
        (reached.has(folderOf(path)) && !path.endsWith('.test.ts')) ||
        [...read].some((prefix) => path.startsWith(prefix));
    },
  };
}

/** Returns the paths of the files that a source imports. */
function importsOf(path, resolvePackage) {
  const text = readFileSync(join(root, path), 'utf8');
  return [
    ...[...text.matchAll(RELATIVE)].map(([, specifier]) => fromRoot(resolve(root, dirname(path), `${specifier}.ts`))),
    ...[...text.matchAll(OF_PACKAGE)].flatMap(([, specifier]) => resolvePackage(specifier) ?? []),
  ];
}

/** Returns a map from each folder to the set of folders that its sources import, except its tests, and that its package.json names. */
function importsOfFolders(imports, resolvePackage) {
  const folders = new Map();
  const add = (folder, imported) => folders.set(folder, (folders.get(folder) ?? new Set()).add(imported));
  for (const [path, imported] of imports) {
    for (const each of path.endsWith('.test.ts') ? [path] : [path, ...imported]) add(folderOf(path), folderOf(each));
  }
  for (const path of files(root, (name) => name === 'package.json').map(fromRoot)) {
    for (const imported of importsOf(path, resolvePackage)) add(folderOf(path), folderOf(imported));
  }
  return folders;
}

/** Returns the folder of a file whose files depend on each other, with a slash at the end. Returns the path of a file in the root. */
function folderOf(path) {
  return FOLDER.exec(path)?.[0] ?? path;
}

/**
 * Returns a function that maps an import specifier of a package of this repository to the paths of the source file and of the package.json.
 * The function returns undefined for other specifiers.
 */
function packageResolver() {
  const packages = new Map();
  for (const manifest of files(root, (name) => name === 'package.json')) {
    const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8'));
    packages.set(name, { manifest, exports: exports ?? {} });
  }
  return (specifier) => {
    const name = specifier.startsWith('@') ? specifier.split('/', 2).join('/') : specifier.split('/', 1)[0];
    const found = packages.get(name);
    if (found === undefined) return undefined;
    const target = targetOf(found.exports, `.${specifier.slice(name.length)}`);
    const source = target?.replace('dist/', 'src/').replace(/\.js$/, '.ts');
    return [found.manifest, ...(source === undefined ? [] : [join(dirname(found.manifest), source)])].map(fromRoot);
  };
}

/** Returns the file to which `exports` of a package.json maps a subpath; undefined if `exports` does not contain the subpath. */
function targetOf(exports, subpath) {
  if (typeof exports[subpath] === 'string') return exports[subpath];
  for (const [pattern, target] of Object.entries(exports)) {
    const [start, end] = pattern.split('*');
    if (end === undefined || !subpath.startsWith(start) || !subpath.endsWith(end)) continue;
    return target.replace('*', subpath.slice(start.length, subpath.length - end.length));
  }
  return undefined;
}

function fromRoot(path) {
  return relative(root, path).split(sep).join('/');
}
