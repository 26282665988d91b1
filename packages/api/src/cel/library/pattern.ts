import { loadRe2 } from '../../schema/load-re2.js';
import { CelError } from '../values/cel-error.js';

/** A compiled regular expression of RE2, whose time is linear in the text. */
export interface Pattern {
  test(text: string): boolean;
  /** The first match, '' if there is none. */
  find(text: string): string;
  /** The matches, at most so many if the limit is not negative. */
  findAll(text: string, limit: number): readonly string[];
}

/** Compiles a pattern; an error in Go's words if it is none. */
export function compilePattern(pattern: string): Pattern | CelError {
  const { RE2JS, RE2JSException } = loadRe2();
  try {
    const compiled = RE2JS.compile(pattern);
    return {
      test: (text) => compiled.test(text),
      find: (text) => {
        const matcher = compiled.matcher(text);
        return matcher.find() ? (matcher.group() ?? '') : '';
      },
      findAll: (text, limit) => {
        const matcher = compiled.matcher(text);
        const most = limit < 0 ? Number.POSITIVE_INFINITY : limit;
        const found: string[] = [];
        for (let count = 0; count < most && matcher.find(); count++) found.push(matcher.group() ?? '');
        return found;
      },
    };
  } catch (error) {
    if (error instanceof RE2JSException) return new CelError(error.message);
    throw error;
  }
}
