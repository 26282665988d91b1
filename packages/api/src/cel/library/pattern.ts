import { compileGoPattern, type GoPattern } from '../../schema/go-pattern.js';
import { CelError } from '../values/cel-error.js';
import { checkListSize } from '../values/size-limits.js';

/** A compiled regular expression of RE2, whose time is linear in the text. */
export interface Pattern {
  /** The number of instructions, which the time for a character depends on. */
  readonly size: number;
  test(text: string): boolean;
  /** The first match, '' if there is none. */
  find(text: string): string;
  /** The matches, at most so many if the limit is not negative. */
  findAll(text: string, limit: number): readonly string[];
}

/** Compiles a pattern; returns an error in Go's words if the pattern is not valid. The compiled form is looked up with each use. */
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
