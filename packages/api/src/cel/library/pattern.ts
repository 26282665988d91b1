import { compileGoPattern, type GoPattern } from '../../schema/go-pattern.js';
import { CelError } from '../values/cel-error.js';
import { checkListSize } from '../values/size-limits.js';

/** A compiled RE2 regular expression. Matching takes time linear in the length of the text. */
export interface Pattern {
  /** The number of instructions, which determines the time per character. */
  readonly size: number;
  test(text: string): boolean;
  /** Returns the first match, or ''. */
  find(text: string): string;
  /** Returns the matches. A non-negative limit is the maximum number of matches. */
  findAll(text: string, limit: number): readonly string[];
}

/**
 * Compiles a pattern. Returns an error in the wording of Go if the pattern is not valid. To save memory, the result does not refer to the
 * compiled pattern: each call of the result gets the compiled pattern from the cache.
 */
export function compilePattern(pattern: string): Pattern | CelError {
  const { compiled, error } = compileGoPattern(pattern);
  if (error !== undefined) return new CelError(error);
  return {
    size: compiled.programSize(),
    test: (text) => compiledOf(pattern).test(text),
    find: (text) => {
      const matcher = compiledOf(pattern).matcher(text);
      return matcher.find() ? (matcher.group() ?? '') : '';
    },
    findAll: (text, limit) => {
      const matcher = compiledOf(pattern).matcher(text);
      const most = limit < 0 ? Number.POSITIVE_INFINITY : limit;
      const found: string[] = [];
      for (let count = 0; count < most && matcher.find(); count++) {
        checkListSize(count);
        found.push(matcher.group() ?? '');
      }
      return found;
    },
  };
}

function compiledOf(pattern: string): GoPattern {
  const { compiled, error } = compileGoPattern(pattern);
  if (error !== undefined) throw new RangeError(`the pattern ${JSON.stringify(pattern)} does not compile: ${error}`);
  return compiled;
}
