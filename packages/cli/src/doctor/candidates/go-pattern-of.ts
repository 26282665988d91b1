import { NotTranslatable } from './not-translatable.js';

/** Any character except the line terminators of JavaScript. */
const ANY = '[^\\n\\r\\x{2028}\\x{2029}]';
const CONTROL: Readonly<Record<string, string>> = { n: '\\n', r: '\\r', t: '\\t', f: '\\f', v: '\\v' };
const DIGIT_OR_WORD = /^[dw]$/;

/**
 * Returns the RE2 pattern that matches the same texts as a regular expression of JavaScript. Supports literals, groups, alternatives,
 * quantifiers, anchors and classes. Does not support `\s`, which matches other characters in RE2. Without the flag `u`, JavaScript matches
 * the two halves of a character outside of the Basic Multilingual Plane separately. Therefore, classes that contain such characters require
 * the quantifier `*`. One such class can have the quantifier `+` instead.
 *
 * @example goPatternOf('^[a-z]+$', ''); // '^[a-z]+$'
 * @throws NotTranslatable if the pattern has another meaning in RE2
 */
export function goPatternOf(pattern: string, flags: string): string {
  if (flags !== '' && flags !== 'u') throw new NotTranslatable(`a pattern with the flags ${flags}`);
  return new PatternTranslation(pattern, flags === 'u').whole();
}

/** A translated term of a pattern. A wide term matches one character of any plane. An anchor matches no character. */
interface Term {
  readonly text: string;
  readonly isWide?: boolean;
  readonly isAnchor?: boolean;
}

class PatternTranslation {
  readonly #characters: readonly string[];
  readonly #unicode: boolean;
  #at = 0;
  /**
   * Whether a wide class with the quantifier `+` has occurred. Without the flag `u`, a second such class is rejected, because the two
   * classes could match the two halves of one character.
   */
  #hasWidePlus = false;

  constructor(pattern: string, unicode: boolean) {
    this.#characters = [...pattern];
    this.#unicode = unicode;
  }

  whole(): string {
    const { text } = this.#alternatives();
    if (this.#at < this.#characters.length) this.#refuse();
    return text;
  }

  /**
   * Translates the alternatives of a pattern or a group. The result is wide if one of its terms is wide. Without the flag `u`, a wide group
   * cannot be repeated.
   */
  #alternatives(): Term {
    let text = '';
    let isWide = false;
    for (;;) {
      const next = this.#next();
      if (next === undefined || next === ')') return { text, isWide };
      if (next === '|') {
        this.#at += 1;
        text += '|';
        continue;
      }
      const term = this.#term();
      const quantifier = this.#quantifier();
      if (quantifier !== '' && term.isAnchor === true) this.#refuse();
      if (term.isWide === true && !this.#unicode) this.#checkWide(term, quantifier);
      isWide ||= term.isWide === true;
      text += term.text + quantifier;
    }
  }

  #checkWide({ text }: Term, quantifier: string): void {
    const isGroup = text.startsWith('(');
    if (isGroup ? quantifier === '' : /^\*\??$/.test(quantifier)) return;
    if (isGroup || !/^\+\??$/.test(quantifier) || this.#hasWidePlus) this.#refuse();
    this.#hasWidePlus = true;
  }

  #term(): Term {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '.':
        return { text: ANY, isWide: true };
      case '^':
      case '$':
        return { text: character, isAnchor: true };
      default:
        if (/[*+?{}\]]/.test(character)) this.#refuse();
        return { text: this.#literal(character) };
    }
  }

  #group(): Term {
    if (this.#next() === '?') {
      this.#at += 1;
      const kind = this.#take();
      const isNamed = kind === '<' && /^[A-Za-z]$/.test(this.#next() ?? '');
      if (isNamed) while (this.#take() !== '>');
      else if (kind !== ':') this.#refuse();
    }
    const { text, isWide } = this.#alternatives();
    if (this.#take() !== ')') this.#refuse();
    return { text: `(?:${text})`, isWide: isWide === true };
  }

  #quantifier(): string {
    const next = this.#next();
    if (next === undefined || !/[*+?{]/.test(next)) return '';
    this.#at += 1;
    let text = next;
    if (next === '{') {
      do text += this.#take();
      while (!text.endsWith('}'));
      if (!/^\{\d+(?:,\d*)?\}$/.test(text)) this.#refuse();
    }
    if (this.#next() === '?') {
      this.#at += 1;
      text += '?';
    }
    return text;
  }

  #escape(): Term {
    const next = this.#take();
    if (DIGIT_OR_WORD.test(next)) return { text: `\\${next}` };
    if (next === 'D' || next === 'W') return { text: `\\${next}`, isWide: true };
    if (next === 'b' || next === 'B') return { text: `\\${next}`, isAnchor: true };
    return { text: this.#escaped(next) };
  }

  #class(): Term {
    const isNegated = this.#next() === '^';
    if (isNegated) this.#at += 1;
    if (this.#next() === ']') this.#refuse();
    let text = '';
    for (;;) {
      if (this.#next() === ']') break;
      const from = this.#classItem();
      text += from;
      if (this.#next() !== '-' || this.#characters[this.#at + 1] === ']') continue;
      this.#at += 1;
      const to = this.#classItem();
      if (/^\\[dw]$/.test(from) || /^\\[dw]$/.test(to)) this.#refuse();
      text += `-${to}`;
    }
    this.#at += 1;
    return { text: `[${isNegated ? '^' : ''}${text}]`, isWide: isNegated };
  }

  #classItem(): string {
    const character = this.#take();
    if (character !== '\\') return this.#literal(character);
    const next = this.#take();
    if (next === 'b') return '\\x08';
    return DIGIT_OR_WORD.test(next) ? `\\${next}` : this.#escaped(next);
  }

  /** Translates an escaped character that has the same meaning within and outside of a class. */
  #escaped(next: string): string {
    const control = CONTROL[next];
    if (control !== undefined) return control;
    if (next === 'x') return this.#code(2);
    if (next === 'u' && this.#next() !== '{') return this.#code(4);
    if (/[A-Za-z0-9]/.test(next)) this.#refuse();
    return this.#literal(next);
  }

  #code(digits: number): string {
    const hex = Array.from({ length: digits }, () => this.#take()).join('');
    const code = /^[\da-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : -1;
    if (code < 0 || (code >= 0xd800 && code <= 0xdfff)) this.#refuse();
    return `\\x{${hex}}`;
  }

  #literal(character: string): string {
    if ((character.codePointAt(0) ?? 0) > 0xffff && !this.#unicode) this.#refuse();
    return /^[\^$.*+?()[\]{}|\\-]$/.test(character) ? `\\${character}` : character;
  }

  #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) this.#refuse();
    this.#at += 1;
    return character;
  }

  #refuse(): never {
    throw new NotTranslatable(`the pattern ${this.#characters.join('')}`);
  }
}
