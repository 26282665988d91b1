/** A function or method of a Go source. */
export interface GoFunction {
  readonly name: string;
  /** The type of a method's receiver; undefined for a function. */
  readonly receiver?: string;
  /** The name of the receiver inside the method, such as 'r'; undefined for a function and for a receiver without a name. */
  readonly self?: string;
  /** The parameters, the results, and the body. */
  readonly text: string;
  /** The number of lines of the body. */
  readonly lines: number;
}

const START = /^func (?:\((?:(\w+)\s+)?\*?(\w+)(?:\[[^\]]*\])?\) )?(\w+)/gm;

/**
 * Returns the functions and methods of a Go source in the layout of gofmt. In this layout, a closing bracket at the start of a line ends a
 * body.
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
 * Returns the end of a function. If its body is on its first line, that is the end of the line. Otherwise, it is the next closing bracket
 * at the start of a line.
 */
function endOf(source: string, from: number): number {
  const firstLine = source.indexOf('\n', from);
  if (firstLine === -1 || source[firstLine - 1] === '}') return firstLine === -1 ? source.length : firstLine;
  const end = source.indexOf('\n}', from);
  return end === -1 ? source.length : end;
}
