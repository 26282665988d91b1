import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { BUNDLE } from 'create-operator';
import type { Message } from 'esbuild';
import type { Project } from '../project/project.js';
import { withoutRedundantNames } from './redundant-names.js';

/** An operator that is bundled into one file. */
export interface Bundle {
  /** The absolute path of the bundle. */
  readonly file: string;
  readonly bytes: number;
  /** The size of each package in the bundle, largest first. The package `(own)` represents the sources of the project. */
  readonly packages: readonly { readonly name: string; readonly bytes: number }[];
}

/** The first line of the bundle. Defines `require` for bundled CommonJS modules, because the bundle is an ES module without `require`. */
const BANNER =
  "import { createRequire as kubewrightRequire } from 'node:module'; const require = kubewrightRequire(import.meta.url);";
/** The oldest Node.js version that the Kubewright packages support. */
const TARGET = 'node20.19';

/**
 * Bundles the compiled program and all its imports into one file, and writes a source map next to this file. The input is the output of
 * tsc, because esbuild does not emit decorator metadata. The names of classes and functions do not change.
 * @throws KubewrightError BUNDLING_FAILED if esbuild fails; the message contains the file and line of each error
 */
export async function bundle({ root, main }: Project): Promise<Bundle> {
  const { build } = await import('esbuild');
  const file = join(root, BUNDLE);
  try {
    const { metafile, outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [main],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: TARGET,
      keepNames: true,
      sourcemap: 'linked',
      // The source map needs only the positions; the sources are in the repository.
      sourcesContent: false,
      legalComments: 'none',
      banner: { js: BANNER },
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    await mkdir(dirname(file), { recursive: true });
    for (const { path, text } of outputFiles) await writeFile(path, path === file ? withoutRedundantNames(text) : text);
    const { bytes = 0, inputs = {} } = metafile.outputs[relative(root, file)] ?? {};
    return { file, bytes, packages: packagesIn(inputs) };
  } catch (error) {
    const { errors } = error as { readonly errors?: readonly Message[] };
    if (errors === undefined) throw error;
    throw new KubewrightError('BUNDLING_FAILED', `cannot bundle the project:\n${errors.map(sentence).join('\n')}`, {
      cause: error,
    });
  }
}

function sentence({ text, location }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
}

function packagesIn(inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>): Bundle['packages'] {
  const sizes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const inModules = path.split('node_modules/').at(-1) ?? path;
    const name = path.includes('node_modules/') ? (/^(@[^/]+\/)?[^/]+/.exec(inModules)?.[0] ?? path) : '(own)';
    sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
  }
  return [...sizes].map(([name, bytes]) => ({ name, bytes })).toSorted((a, b) => b.bytes - a.bytes);
}
