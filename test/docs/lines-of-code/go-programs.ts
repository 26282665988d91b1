import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../markdown-pages.js';
import { type ProgramSize, sizeOf } from './program-size.js';

/** The counts of a Go program: a size for each file, or for each part in an article. */
export interface GoProgram {
  /** `owner/name`, and the counted commit. Not set if the program is only in an article. */
  readonly repository?: string;
  readonly commit?: string;
  readonly article?: string;
  readonly written: Sizes;
  /** The CustomResourceDefinition, if it is written by hand. */
  readonly definition?: Sizes;
  /** Files that a generator overwrites. A path that ends in '/' is a folder of such files. */
  readonly generated?: Sizes;
}
export type Sizes = Readonly<Record<string, ProgramSize>>;

const COUNTED = join(root, 'test', 'docs', 'lines-of-code', 'go-programs.json');

/** Reads the last counts, by the name of the program. */
export function readGoPrograms(): Readonly<Record<string, GoProgram>> {
  return JSON.parse(readFileSync(COUNTED, 'utf8')) as Record<string, GoProgram>;
}

/** Returns the path and the text of the file that stores the counts. */
export function goProgramsFile(programs: Readonly<Record<string, GoProgram>>): { path: string; text: string } {
  return { path: COUNTED, text: `${JSON.stringify(programs, null, 2)}\n` };
}

/** Counts a program again in a checkout of its repository. */
export function recounted(program: GoProgram, checkout: string): GoProgram {
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: checkout, encoding: 'utf8', maxBuffer: 2 ** 26 });
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
    return stdout;
  };
  const textOf = (path: string): string => {
    const paths = path.endsWith('/') ? git('ls-tree', '-r', '--name-only', 'HEAD', path).trim().split('\n') : [path];
    const texts = paths.filter((each) => !each.endsWith('_test.go')).map((each) => git('show', `HEAD:${each}`));
    return (path.endsWith('/') ? texts.filter((text) => /^\/\/ Code generated /m.test(text)) : texts).join('');
  };
  const again = (sizes: Sizes): Sizes =>
    Object.fromEntries(
      Object.keys(sizes).map((path) => [path, sizeOf(path.endsWith('/') ? 'folder.go' : path, textOf(path))]),
    );
  const { written, definition, generated } = program;
  return {
    ...program,
    commit: git('rev-parse', '--short=12', 'HEAD').trim(),
    written: again(written),
    ...(definition && { definition: again(definition) }),
    ...(generated && { generated: again(generated) }),
  };
}
