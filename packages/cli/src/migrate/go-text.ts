/** Removes all comments from a Go source. Does not change strings that contain `//` or `/*`. */
export function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (all) =>
    all.startsWith('/') ? '' : all,
  );
}

/** Returns the import paths of a Go source by the local name of the package. */
export function importsOf(text: string): ReadonlyMap<string, string> {
  const blocks = [...text.matchAll(/^import \(([\s\S]*?)^\)/gm)].flatMap(([, block = '']) => block.split('\n'));
  const single = [...text.matchAll(/^import\s+((?:[\w.]+\s+)?"[^"]+")/gm)].map(([, line = '']) => line);
  return new Map(
    [...blocks, ...single].flatMap((line) => {
      const [, alias, path] = /^\s*(?:([\w.]+)\s+)?"([^"]+)"/.exec(line) ?? [];
      return path === undefined ? [] : [[alias ?? (path.split('/').at(-1) as string), path] as const];
    }),
  );
}
