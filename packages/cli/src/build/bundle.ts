import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { BUNDLE, BUNDLE_CHUNKS } from 'create-operator';
import type { BuildOptions, BuildResult, Message, Metafile, OutputFile, Plugin } from 'esbuild';
import type { Project } from '../project/project.js';
import { mergeStart, reachable, withMap } from './merge-start.js';
import { withoutRedundantNames } from './redundant-names.js';

/** The size of the code in a bundle. */
export interface BundledCode {
  readonly bytes: number;
  /**
   * The size of each package, largest first, before redundant code is removed. The package `(own)` represents the sources of the project.
   */
  readonly packages: readonly { readonly name: string; readonly bytes: number }[];
}

/** An operator that is bundled into its main file and chunks. */
export interface Bundle extends BundledCode {
  /** The absolute path of the main file. */
  readonly file: string;
  /** The code that Node.js loads before the program starts. The program loads the other chunks when it uses them. */
  readonly atStart: BundledCode;
}

/** The first line of each file. Defines `require` for bundled CommonJS modules, because the files are ES modules without `require`. */
const BANNER =
  "import { createRequire as kubewrightRequire } from 'node:module'; const require = /* @__PURE__ */ kubewrightRequire(import.meta.url);";
/** The oldest Node.js version that the Kubewright packages support. */
const TARGET = 'node20.19';
/** The format of the files. V8 reads shorter files faster. The lines are short, so that the position of an error is useful. */
const LINES = { minifyWhitespace: true, lineLimit: 120 };

/**
 * Bundles the compiled program and all its imports into a main file, and writes source maps. Code that only a dynamic import loads is in
 * chunks in a folder next to the main file, so that Node.js does not read code that the program does not use. The input is the output of
 * tsc, because esbuild does not emit decorator metadata. The names of classes and functions do not change.
 * @throws KubewrightError BUNDLING_FAILED if esbuild fails; the message contains the file and line of each error
 */
export async function bundle({ root, main }: Project): Promise<Bundle> {
  const file = join(root, BUNDLE);
  const chunks = join(root, BUNDLE_CHUNKS);
  try {
    const { metafile, outputFiles } = await split(root, main);
    const atStart = reachable(metafile, relative(root, file));
    const merged = await mergeStart({ root, metafile, files: outputFiles, atStart }, outputOptions(root));
    const written = await withoutSpaces(merged.files);
    const bytesOf = (paths: readonly string[]): number =>
      paths.reduce((sum, path) => sum + Buffer.byteLength(written.get(join(root, path)) ?? ''), 0);
    const code = Object.keys(merged.metafile.outputs).filter((path) => path.endsWith('.mjs'));
    // Removes the chunks of earlier builds.
    await rm(chunks, { recursive: true, force: true });
    await mkdir(chunks, { recursive: true });
    for (const [path, text] of written) await writeFile(path, text);
    return {
      file,
      bytes: bytesOf(code),
      packages: packagesOf(metafile, Object.keys(metafile.outputs)),
      atStart: {
        bytes: bytesOf(reachable(merged.metafile, relative(root, file))),
        packages: packagesOf(metafile, atStart),
      },
    };
  } catch (error) {
    const { errors } = error as { readonly errors?: readonly Message[] };
    if (errors === undefined) throw error;
    throw new KubewrightError('BUNDLING_FAILED', `cannot bundle the project:\n${errors.map(sentence).join('\n')}`, {
      cause: error,
    });
  }
}

/** Bundles the program in memory, with a chunk for each set of dynamic imports that share code. */
async function split(root: string, main: string): Promise<BuildResult<{ metafile: true; write: false }>> {
  const { build } = await import('esbuild');
  const options = {
    ...outputOptions(root),
    entryPoints: { [basename(BUNDLE, '.mjs')]: main },
    // These chunks are not written. `mergeStart` derives the names of the written chunks from these names.
    chunkNames: '[hash]/[name]',
  };
  const { metafile } = await build({ ...options, splitting: false });
  const used = new Set(
    Object.values(metafile.outputs).flatMap(({ inputs }) => filesIn(inputs).map((path) => join(root, path))),
  );
  return build({ ...options, plugins: [withoutUnusedImports(used)] });
}

function outputOptions(root: string) {
  return {
    absWorkingDir: root,
    outdir: join(root, dirname(BUNDLE)),
    outExtension: { '.js': '.mjs' },
    chunkNames: `${basename(BUNDLE_CHUNKS)}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: TARGET,
    keepNames: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    // The source map needs only the positions; the sources are in the repository.
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: BANNER },
    metafile: true,
    write: false,
    logLevel: 'silent',
  } as const satisfies BuildOptions;
}

/** Returns the text of each file and of its source map, without redundant calls that set names, and without unnecessary spaces. */
async function withoutSpaces(files: readonly OutputFile[]): Promise<ReadonlyMap<string, string>> {
  const { transform } = await import('esbuild');
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const written = new Map<string, string>();
  for (const [path, text] of texts) {
    const map = texts.get(`${path}.map`);
    if (map === undefined) continue;
    const result = await transform(withMap(withoutRedundantNames(text), map), {
      ...LINES,
      format: 'esm',
      target: TARGET,
      sourcemap: 'external',
      sourcesContent: false,
      sourcefile: basename(path),
    });
    written.set(path, `${result.code}//# sourceMappingURL=${basename(path)}.map\n`).set(`${path}.map`, result.map);
  }
  return written;
}

/**
 * Excludes dynamic imports in unused modules. With chunks, esbuild resolves dynamic imports before it removes unused modules, and keeps all
 * exports of the imported packages.
 */
function withoutUnusedImports(used: ReadonlySet<string>): Plugin {
  return {
    name: 'without-unused-imports',
    setup(build) {
      build.onResolve({ filter: /^/ }, ({ kind, importer, path }) =>
        kind === 'dynamic-import' && !used.has(importer) ? { path, external: true } : undefined,
      );
    },
  };
}

function sentence({ text, location }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
}

function packagesOf({ outputs }: Metafile, names: readonly string[]): BundledCode['packages'] {
  const code = names.filter((name) => !name.endsWith('.map')).flatMap((name) => outputs[name] ?? []);
  const sizes = new Map<string, number>();
  for (const { inputs } of code) {
    for (const path of filesIn(inputs)) {
      const name = packageOf(path);
      sizes.set(name, (sizes.get(name) ?? 0) + (inputs[path]?.bytesInOutput ?? 0));
    }
  }
  return [...sizes].map(([name, bytes]) => ({ name, bytes })).toSorted((a, b) => b.bytes - a.bytes);
}

/** Returns the files with code in an output. */
function filesIn(inputs: Metafile['outputs'][string]['inputs']): readonly string[] {
  return Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0);
}

function packageOf(path: string): string {
  const inModules = path.split('node_modules/').at(-1) ?? path;
  return path.includes('node_modules/') ? (/^(@[^/]+\/)?[^/]+/.exec(inModules)?.[0] ?? path) : '(own)';
}
