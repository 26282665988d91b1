import { type Comment, parseSync, type Program } from 'oxc-parser';

/** A source with its syntax tree. Positions count UTF-16 units, as those of strings do. */
export interface SourceModule {
  /** Its path, relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** Reads a source; undefined where it is no TypeScript. */
export function sourceModule(path: string, text: string): SourceModule | undefined {
  const { program, comments, errors } = parseSync(path, text);
  return errors.length > 0 ? undefined : { path, text, program, comments };
}
