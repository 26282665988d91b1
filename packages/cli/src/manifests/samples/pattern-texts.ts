import { validate } from '@kubewright/api/schema';

/**
 * Creates a text that matches a part of a pattern.
 * @param more the number of repetitions above the minimum of each quantifier
 * @param variant the index of the selected character in each character set
 */
type Maker = (more: number, variant: number) => string;

/** The candidates for the character that represents a character set, in order of preference. */
const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:@ +=,;%$#&*!?()[]{}<>|~^"\'\\`',
];

/**
 * Returns texts that probably match a Go regular expression, shortest first. The caller must check the match. `longest` limits the number
 * of repetitions above the minimum of each quantifier, to at most 64. Returns an empty list for unsupported syntax.
 *
 * @example patternTexts('^[a-z]+-v\\d{2}$', { longest: 12 }) // ['a-v00', 'aa-v00', …]
 */
export function patternTexts(
  pattern: string,
  { variant = 0, longest }: { readonly variant?: number; readonly longest: number },
): readonly string[] {
  const maker = new PatternReader(pattern.replace(/^\(\?[imsU]+\)/, '')).read();
  if (maker === undefined) return [];
  const texts = Array.from({ length: Math.min(longest, 64) + 1 }, (_, more) => maker(more, variant));
  return [...new Set(texts)];
}

/** Parses a regular expression from left to right. */
class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Parses the whole pattern. Returns undefined for unsupported syntax. */
  read(): Maker | undefined {
    const maker = this.#alternatives();
    return this.#at === this.#pattern.length ? maker : undefined;
  }

  #alternatives(): Maker | undefined {
    const first = this.#sequence();
    let known = first !== undefined;
    while (this.#skip(/^\|/)) known = this.#sequence() !== undefined && known;
    // Uses only the first alternative, which is sufficient for a match.
    return known ? first : undefined;
  }

  #sequence(): Maker | undefined {
    const parts: Maker[] = [];
    while (this.#at < this.#pattern.length && !/^[|)]/.test(this.#rest)) {
      const part = this.#repeated();
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return (more, variant) => parts.map((part) => part(more, variant)).join('');
  }

  #repeated(): Maker | undefined {
    const atom = this.#atom();
    if (atom === undefined) return undefined;
    const found = this.#skip(/^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/);
    if (found === undefined) return atom;
    const [text, least, comma, most] = found;
    const minimum = least === undefined ? (text.startsWith('+') ? 1 : 0) : Number(least);
    const maximum = text.startsWith('?')
      ? 1
      : least === undefined || most === ''
        ? Number.POSITIVE_INFINITY
        : Number(most ?? minimum);
    const limit = comma === undefined && least !== undefined ? minimum : maximum;
    return (more, variant) => atom(more, variant).repeat(Math.min(limit, minimum + more));
  }

  #atom(): Maker | undefined {
    if (this.#skip(/^(?:\^|\$|\\[AzbB])/) !== undefined) return () => '';
    if (this.#skip(/^\((?:\?(?:P?<\w+>|[ims]*:))?/) !== undefined) {
      const inner = this.#alternatives();
      return this.#skip(/^\)/) === undefined ? undefined : inner;
    }
    const set = this.#skip(/^(?:\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|\\[dDsSwW]|\\[pP](?:\{\^?\w+\}|\w)|\.)/);
    if (set !== undefined) return oneOf(set[0]);
    const literal = this.#skip(/^(?:\\([^a-zA-Z0-9])|([^\\()[\]|*+?]))/);
    const character = literal?.[1] ?? literal?.[2];
    return character === undefined ? undefined : () => character;
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }
  #skip(expected: RegExp): RegExpExecArray | undefined {
    const found = expected.exec(this.#rest) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

/** Returns a maker for a character set such as `[a-z]`; undefined if the set contains none of `CHARACTERS`. */
function oneOf(set: string): Maker | undefined {
  const schema = { type: 'string', pattern: `^${set}$` };
  const fitting = CHARACTERS.filter((character) => validate(character, schema).length === 0);
  return fitting.length === 0 ? undefined : (_, variant) => fitting[variant % fitting.length] as string;
}
