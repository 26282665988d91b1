// Finds the test files that a change can break.
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
  ['test/scaffold/', ['create-operator/', 'packages/', 'test/scaffold/']],
  ['test/apiserver-process/', ['packages/apiserver/']],
  ['test/fuzz/', ['packages/apiserver/', 'test/fuzz/']],
  ['test/contract/', ['test/contract/answers/']],
  ['test/leader-election/', ['packages/', 'examples/']],
  ['packages/apiserver/', ['packages/apiserver/data/']],
  ['packages/cli/', ['create-operator/']],
  ['create-operator/', ['create-operator/src/templates/']],
];
/** Files that every test depends on. */
const READ_BY_ALL = /^(package-lock\.json|tsconfig.*\.json|scripts\/(run-tests|setup)\.mjs)$/;
const RELATIVE = /['"`](\.{1,2}\/[^'"`\s]+)\.js['"`]/g;
const OF_PACKAGE = /['"]((?:@kubewright\/[a-z-]+|create-operator)(?:\/[^'"\s]+)?)['"]/g;

/**
 * Returns the tests that changes of files can affect: changed tests, tests that directly or indirectly import a changed module, and tests
 * that read a changed file by path. Returns all tests if a file that every test depends on has changed. `changed` and `tests` are paths
 * relative to the root, with slashes. Preserves the order of `tests`.
 */
export function affectedTests(changed, tests) {
  if (changed.some((path) => READ_BY_ALL.test(path))) return tests;
  const importers = importersOf(files(root, (name) => name.endsWith('.ts')).map(slashes));
  const reached = new Set(changed);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return tests.filter(
    (test) =>
      reached.has(test) ||
      READ_BY_PATH.some(
        ([prefix, read]) =>
          test.startsWith(prefix) && changed.some((path) => read.some((start) => path.startsWith(start))),
      ),
  );
}

/** Returns a map from the path of each imported file to the set of paths of files that import it. */
function importersOf(paths) {
  const resolvePackage = packageResolver();
  const importers = new Map();
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    const imported = [
      ...[...text.matchAll(RELATIVE)].map(([, specifier]) => slashes(resolve(root, dirname(path), `${specifier}.ts`))),
      ...[...text.matchAll(OF_PACKAGE)].flatMap(([, specifier]) => resolvePackage(specifier) ?? []),
    ];
    for (const each of imported) importers.set(each, (importers.get(each) ?? new Set()).add(path));
  }
  return importers;
}

/**
 * Returns a function that maps an import specifier of a package of this repository to the path of the source file. The function returns
 * undefined for other specifiers.
 */
function packageResolver() {
  const packages = new Map();
  for (const manifest of files(root, (name) => name === 'package.json')) {
    const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (exports !== undefined) packages.set(name, { folder: dirname(manifest), exports });
  }
  return (specifier) => {
    const name = specifier.startsWith('@') ? specifier.split('/', 2).join('/') : specifier.split('/', 1)[0];
    const found = packages.get(name);
    if (found === undefined) return undefined;
    const target = targetOf(found.exports, `.${specifier.slice(name.length)}`);
    return target && slashes(join(found.folder, target.replace('dist/', 'src/').replace(/\.js$/, '.ts')));
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

function slashes(path) {
  return relative(root, path).split(sep).join('/');
}
