/** A function or method of a Go source. */
export interface GoFunction {
  readonly name: string;
  /** The type of a method's receiver; undefined for a function. */
  readonly receiver?: string;
  /** The name of the receiver, such as 'r'; undefined for a function, or for a method whose receiver has no name. */
  readonly self?: string;
  /** The source text of the parameters, the results, and the body. */
  readonly text: string;
  /** The number of lines of the body. */
  readonly lines: number;
}

const START = /^func (?:\((?:(\w+)\s+)?\*?(\w+)(?:\[[^\]]*\])?\) )?(\w+)/gm;

/**
 * Returns the functions and methods of a Go source that gofmt has formatted: the first closing brace at the start of a line ends a
 * function.
 */
export function goFunctions(source: string): readonly GoFunction[] {
  return [...source.matchAll(START)].map((match): GoFunction => {
    const [start, self, receiver, name = ''] = match;
    const from = match.index + start.length;
    const text = source.slice(from, endOf(source, from));
    const body = /\{\n([\s\S]*)$/.exec(text)?.[1]?.trim() ?? '';
    return {
      name,
      ...(receiver !== undefined && { receiver }),
      ...(self !== undefined && { self }),
      text,
      lines: body === '' ? 0 : body.split('\n').length,
    };
  });
}

/**
 * Returns the offset of the end of a function: the end of the first line if the line ends with the closing brace, and otherwise the next
 * closing brace at the start of a line.
 */
function endOf(source: string, from: number): number {
  const firstLine = source.indexOf('\n', from);
  if (firstLine === -1 || source[firstLine - 1] === '}') return firstLine === -1 ? source.length : firstLine;
  const end = source.indexOf('\n}', from);
  return end === -1 ? source.length : end;
}
