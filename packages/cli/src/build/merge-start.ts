import { isAbsolute, join } from 'node:path';
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild';
import { parseSync, Visitor } from 'oxc-parser';

/** A bundle in memory that esbuild has split into chunks. */
export interface SplitBundle {
  /** The folder of the project. The paths of `metafile` are relative to this folder. */
  readonly root: string;
  readonly metafile: Metafile;
  /** All files, and their source maps. */
  readonly files: readonly OutputFile[];
  /** The main file, and the files that Node.js loads together with this file. */
  readonly atStart: readonly string[];
}

/**
 * Merges the chunks that Node.js loads together with the main file into one chunk, because Node.js needs up to a millisecond to find, read
 * and link a file. esbuild creates a chunk for each set of entry points that share code: 17 chunks for the smallest operator.
 *
 * esbuild puts code that all entry points load into one chunk. Therefore each dynamically imported file gets an import of the chunks. When
 * the program imports such a file, the chunks are already loaded. A chunk with a top-level `await` is not merged, because the chunk may
 * wait for a file that imports the merged chunk. The same applies to chunks that import this chunk.
 *
 * @param options the options with which esbuild created the files, without the entry points and the plugins
 */
export async function mergeStart(
  { root, metafile, files, atStart }: SplitBundle,
  options: BuildOptions,
): Promise<Pick<SplitBundle, 'metafile' | 'files'>> {
  const { build } = await import('esbuild');
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const [main = '', ...chunks] = atStart;
  const awaiting = chunks.filter((path) => hasTopLevelAwait(texts.get(join(root, path)) ?? ''));
  const merged = chunks.filter((path) => !reachable(metafile, path).some((other) => awaiting.includes(other)));
  const imports = merged.map((path) => `import ${JSON.stringify(join(root, path))};\n`).join('');
  const dynamic = new Set(
    Object.values(metafile.outputs).flatMap((output) =>
      output.imports.flatMap(({ kind, path }) => (kind === 'dynamic-import' ? [join(root, path)] : [])),
    ),
  );
  const contents = new Map(
    [...texts].map(([path, text]) => [
      path,
      withMap(text, texts.get(`${path}.map`) ?? '', dynamic.has(path) ? imports : ''),
    ]),
  );
  const { outputFiles = [], metafile: mergedMetafile } = await build({
    ...options,
    metafile: true,
    entryPoints: { [main.replace(/^.*\/|\.mjs$/g, '')]: join(root, main) },
    // The files already contain the calls that set the names, and the banner.
    keepNames: false,
    banner: {},
    plugins: [inMemory(contents)],
  });
  return { metafile: mergedMetafile, files: outputFiles };
}

/** Returns an output of esbuild, and the outputs that it imports statically, directly or indirectly. */
export function reachable({ outputs }: Metafile, first: string): readonly string[] {
  const found = new Set([first]);
  for (const output of found) {
    for (const { path, kind, external } of outputs[output]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) found.add(path);
    }
  }
  return [...found];
}

function inMemory(contents: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'files-in-memory',
    setup(build) {
      build.onResolve({ filter: /^[./]|^[A-Za-z]:/ }, ({ path, resolveDir }) => {
        const absolute = isAbsolute(path) ? path : join(resolveDir, path);
        // The files in memory are the complete bundle. Any other file is outside of the bundle, and the program loads it at run time.
        return contents.has(absolute) ? { path: absolute, sideEffects: true } : { path, external: true };
      });
      build.onLoad({ filter: /^/ }, ({ path }) => ({ contents: contents.get(path) ?? '', loader: 'js' }));
    },
  };
}

/** Adds the source map to a file, and imports at the end, where the imports do not change the positions in the source map. */
export function withMap(text: string, map: string, imports = ''): string {
  const code = text.replace(/\/\/# sourceMappingURL=.*\n$/, '');
  return `${code}${imports}//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;
}

/** Whether the code has a top-level `await`. esbuild converts `await using` to `await` for the target. */
function hasTopLevelAwait(code: string): boolean {
  let [depth, found] = [0, false];
  const enter = (): void => void depth++;
  const exit = (): void => void depth--;
  const note = (isAwait: boolean): void => void (found ||= isAwait && depth === 0);
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': exit,
    FunctionExpression: enter,
    'FunctionExpression:exit': exit,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': exit,
    AwaitExpression: () => note(true),
    ForOfStatement: (node) => note(node.await),
  }).visit(parseSync('chunk.mjs', code).program);
  return found;
}
