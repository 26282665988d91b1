import { type Comment, parseSync, type Program } from 'oxc-parser';

/** A source with its syntax tree. Positions count UTF-16 code units, like positions in strings. */
export interface SourceModule {
  /** The path, relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** Parses a source; returns undefined if it is not valid TypeScript. */
export function sourceModule(path: string, text: string): SourceModule | undefined {
  const { program, comments, errors } = parseSync(path, text);
  return errors.length > 0 ? undefined : { path, text, program, comments };
}
