/**
 * A Go regular expression as a JavaScript one that matches the same texts. Throws a SyntaxError for what Go refuses too,
 * such as look-arounds and back-references, and for flags within groups, which JavaScript lacks.
 */
export function compileGoPattern(pattern: string): RegExp {
  const leading = /^\(\?([imsU]+)\)/.exec(pattern);
  const flags = leading?.[1] ?? '';
  if (flags.includes('U')) throw new SyntaxError('the flag U is not supported');
  const body = pattern.slice(leading?.[0].length ?? 0);
  return new RegExp(translated(body, flags.includes('s')), `u${flags.replace(/[^im]/g, '')}`);
}

const POSIX: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: '0-9A-Za-z',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\t\\n\\v\\f\\r ',
  blank: '\\t ',
  punct: '!-\\/:-@\\[-`\\{-~',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

function translated(body: string, dotAll: boolean): string {
  let out = '';
  let inClass = false;
  for (let at = 0; at < body.length; at++) {
    const char = body.charAt(at);
    if (char === '\\') {
      const escape = escapeAt(body, at, inClass);
      out += escape.text;
      at = escape.end;
    } else if (inClass) {
      const posix = /^\[:(\w+):\]/.exec(body.slice(at));
      const named = POSIX[posix?.[1] ?? ''];
      if (posix !== null && named !== undefined) {
        out += named;
        at += posix[0].length - 1;
      } else {
        if (char === ']') inClass = false;
        out += char === '[' ? '\\[' : char;
      }
    } else if (char === '[') {
      inClass = true;
      const opening = /^\[\^?\]?/.exec(body.slice(at))?.[0] ?? '[';
      out += opening.replace(']', '\\]');
      at += opening.length - 1;
    } else if (char === '(') {
      const group = groupAt(body, at);
      out += group;
      if (group === '(?<') at += body.startsWith('(?P<', at) ? 3 : 2;
    } else out += plainChar(body, at, dotAll);
  }
  return out;
}

function groupAt(body: string, at: number): string {
  if (/^\(\?(=|!|<=|<!)/.test(body.slice(at))) throw new SyntaxError('look-arounds are not supported');
  return body.startsWith('(?P<', at) || body.startsWith('(?<', at) ? '(?<' : '(';
}

// A brace that opens no repetition, and one that closes none, stand for themselves in Go.
function plainChar(body: string, at: number, dotAll: boolean): string {
  const char = body.charAt(at);
  if (char === '.') return dotAll ? '[\\s\\S]' : '[^\\n]';
  if (char === ']') return '\\]';
  if (char === '{') return /^\{\d+(,\d*)?\}/.test(body.slice(at)) ? '{' : '\\{';
  if (char === '}') return /\{\d+(,\d*)?$/.test(body.slice(0, at)) ? '}' : '\\}';
  return char;
}

function escapeAt(body: string, at: number, inClass: boolean): { readonly text: string; readonly end: number } {
  const next = body.charAt(at + 1);
  const plain = (text: string) => ({ text, end: at + 1 });
  switch (next) {
    case 's':
      return plain(inClass ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]');
    case 'S':
      if (inClass) throw new SyntaxError('\\S within brackets is not supported');
      return plain('[^\\t\\n\\f\\r ]');
    case 'A':
      return plain('^');
    case 'z':
      return plain('$');
    case 'a':
      return plain('\\x07');
    case 'x': {
      const wide = /^\\x\{([0-9A-Fa-f]+)\}/.exec(body.slice(at));
      return wide === null ? plain('\\x') : { text: `\\u{${wide[1]}}`, end: at + wide[0].length - 1 };
    }
    case 'p':
    case 'P':
      return propertyAt(body, at);
    default:
      if (/[1-9]/.test(next)) throw new SyntaxError(`invalid escape sequence: \\${next}`);
      if (/[A-Za-z0-9]/.test(next)) return plain(`\\${next}`);
      return plain(/[\^$\\.*+?()[\]{}|/]/.test(next) || (inClass && next === '-') ? `\\${next}` : next);
  }
}

const CATEGORY = /^(C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

function propertyAt(body: string, at: number): { readonly text: string; readonly end: number } {
  const found = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(body.slice(at));
  if (found === null) throw new SyntaxError('invalid character class range');
  const [whole, kind = 'p', negated = '', long, short] = found;
  const name = long ?? short ?? '';
  const letter = negated === '^' ? (kind === 'p' ? 'P' : 'p') : kind;
  return {
    text: `\\${letter}{${CATEGORY.test(name) ? name : `Script=${name}`}}`,
    end: at + whole.length - 1,
  };
}
