import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** A source file of the repository: its path relative to the root, its text and its imports. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
}
export interface Import {
  /** The specifier as written in the source. */
  readonly specifier: string;
  /** The imported file of the repository, relative to the root; undefined for packages. */
  readonly path: string | undefined;
}

const IMPORT = /^\s*(?:import|export)\s+(?:type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Returns the TypeScript sources below a folder, including tests and generated files, but not build output. */
export function sourceFiles(root: string, folder: string): readonly SourceFile[] {
  return typescriptFiles(join(root, folder)).map((path) => {
    const text = readFileSync(path, 'utf8');
    return { path: relative(root, path), lines: text.split('\n').length - 1, imports: importsOf(root, path, text) };
  });
}

function importsOf(root: string, path: string, text: string): readonly Import[] {
  const found = [
    ...[...text.matchAll(IMPORT)].map(([, specifier = '']) => specifier),
    ...[...text.matchAll(DYNAMIC)].map(([, specifier = '']) => specifier),
  ];
  return found.map((specifier) => ({
    specifier,
    path: specifier.startsWith('.')
      ? relative(root, resolve(dirname(path), specifier)).replace(/\.js$/, '.ts')
      : undefined,
  }));
}

function typescriptFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : typescriptFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes(`${sep}test-support${sep}`) || path.startsWith(`test${sep}`);
}
export function isGenerated(path: string): boolean {
  return path.includes(`${sep}generated${sep}`);
}
