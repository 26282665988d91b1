import { type Comment, parseSync, type Program } from 'oxc-parser';

/** A source file and its syntax tree. Positions in the tree are offsets in UTF-16 code units, like indexes of strings. */
export interface SourceModule {
  /** The path, relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** Parses a source file. Returns undefined if the text is not valid TypeScript. */
export function sourceModule(path: string, text: string): SourceModule | undefined {
  const { program, comments, errors } = parseSync(path, text);
  return errors.length > 0 ? undefined : { path, text, program, comments };
}
