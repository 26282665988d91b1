// Bundles the packages for the processes of tests outside of the packages. A process loads the bundle in a fifth of the processor time that
// it takes to load the same code from more than a thousand modules.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { spawnSync } from 'node:child_process';
import { builtDigest, isMain, root } from './setup.mjs';

/** The packages in the bundle. */
const PACKAGES = ['api', 'runtime', 'apiserver', 'testing', 'cli'];
/** The folder in which Node.js finds the bundle when a compiled test imports a package. */
const folder = join(root, 'test', 'dist', 'node_modules');
/** The oldest Node.js version that the packages support. */
const TARGET = 'node20.19';
/** Matches a function for `require` that a module creates. */
const CREATED = /^const (\w+) = createRequire\(import\.meta\.url\);/m;
/** The constants that replace `import.meta.url` and `import.meta.dirname`. */
const META = { url: 'kubewrightModuleUrl', dirname: 'kubewrightModuleFolder' };

/** The minimum number of processes for which a bundle saves time. */
const MINIMUM = 10;
/** Matches the paths of test files outside of the packages. Other files also load modules of their package that no package exports. */
const OUTSIDE = /^(test|examples)[/\\]/;

/**
 * Returns the flags with which processes load the bundle of the packages. Bundles the packages if they have changed. Returns no flags if only
 * few processes use the bundle. The processes of tests in packages ignore the flags.
 * @param processes the paths of the test files of each process
 */
export function bundleFlags(processes) {
  if (processes.filter(([path]) => OUTSIDE.test(path)).length < MINIMUM) return [];
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'inherit' });
  if (status !== 0) throw new Error('cannot bundle the packages for the tests; see the output above');
  return ['--conditions=kubewright-bundle'];
}

/** Bundles the packages. Without the flag, tests and examples still import the modules of the packages. */
async function bundlePackages() {
  rmSync(folder, { recursive: true, force: true });
  const entryPoints = {};
  for (const name of PACKAGES) Object.assign(entryPoints, declare(name));
  const { build } = await import('esbuild');
  await build({
    entryPoints,
    outdir: join(folder, '@kubewright'),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: TARGET,
    keepNames: true,
    define: { 'import.meta.url': META.url, 'import.meta.dirname': META.dirname },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
    banner: {
      js: "import { createRequire as kubewrightRequire } from 'node:module'; const require = kubewrightRequire(import.meta.url);",
    },
    plugins: [{ name: 'packages', setup }],
  });
  for (const example of readdirSync(join(root, 'examples'))) {
    const compiled = join(root, 'examples', example, 'dist');
    if (!existsSync(compiled)) continue;
    const link = join(compiled, 'node_modules');
    rmSync(link, { recursive: true, force: true });
    symlinkSync(relative(compiled, folder), link);
  }
}

/** Writes the manifest of a package in the bundle. Returns the entry points of the package. */
function declare(name) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  const target = join(folder, '@kubewright', name);
  mkdirSync(target, { recursive: true });
  symlinkSync(relative(target, join(root, 'packages', name)), join(target, 'package'));
  const entryPoints = {};
  const exported = {};
  for (const [path, file] of Object.entries(manifest.exports)) {
    const modules = join('package', file);
    exported[path] = `./${modules}`;
    if (!file.endsWith('.js')) continue;
    exported[path] = { 'kubewright-bundle': file.replace('./dist/', './bundle/'), default: `./${modules}` };
    for (const source of sourcesOf(name, file)) {
      entryPoints[`${name}/bundle/${source.slice('dist/'.length, -'.js'.length)}`] = join(
        root,
        'packages',
        name,
        source,
      );
    }
  }
  const { type, version } = manifest;
  writeFileSync(
    join(target, 'package.json'),
    JSON.stringify({ name: manifest.name, version, type, exports: exported }),
  );
  return entryPoints;
}

/** Returns the modules that an export of a package matches, relative to the folder of the package. */
function sourcesOf(name, file) {
  if (!file.includes('*')) return [file.slice('./'.length)];
  const start = file.slice('./'.length, file.indexOf('*'));
  return readdirSync(join(root, 'packages', name, start), { recursive: true })
    .filter((path) => path.endsWith('.js'))
    .map((path) => start + path.split(sep).join('/'));
}

/** Keeps the URLs of the modules, includes modules that the packages load with `require`, and excludes other packages. */
function setup(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
    const isIncluded =
      kind === 'entry-point' || path === 'commander' || path === 'create-operator' || path.startsWith('@kubewright/');
    return isIncluded ? undefined : { path, external: true };
  });
  build.onLoad({ filter: /\.js$/ }, ({ path }) => {
    const code = readFileSync(path, 'utf8');
    if (!code.includes('import.meta')) return undefined;
    return { contents: withValues(code, pathToFileURL(path)), loader: 'js', resolveDir: dirname(path) };
  });
}

/** Declares the values of `import.meta` for the module with this URL, and replaces calls of a created `require` by calls of `require`. */
function withValues(code, url) {
  const [declaration, name] = CREATED.exec(code) ?? [];
  const required =
    declaration === undefined ? code : code.replace(declaration, '').replaceAll(`${name}('`, "require('");
  if (declaration !== undefined && name !== 'require' && required.includes(`${name}(`))
    throw new Error(
      `${fileURLToPath(url)}: ${name} must be called with the path as a literal, so that the bundle contains the module`,
    );
  const values = `const ${META.url} = ${JSON.stringify(url.href)}, ${META.dirname} = ${JSON.stringify(dirname(fileURLToPath(url)))};`;
  return values + required.replaceAll('createRequire(import.meta.url)(', 'require(');
}

if (isMain(import.meta.url)) {
  const stamp = join(folder, 'bundled');
  const digest = builtDigest();
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
    await bundlePackages();
    writeFileSync(stamp, digest);
  }
}
