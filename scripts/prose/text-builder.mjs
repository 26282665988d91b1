// A text that a person reads, on one line, with the lines of its source.

/**
 * Collects the pieces of a text. Code in a text is kept in backticks, so that the rules can skip it. White space, including line breaks,
 * becomes one space.
 */
export class TextBuilder {
  #text = '';
  /** Pairs of an offset in the text and the line of the source that starts there. */
  #lines = [];

  /** Appends prose from a line of the source. */
  prose(text, line) {
    this.#append(text, line);
  }

  /** Appends code, which no rule reads. */
  code(text, line) {
    this.#append(`\`${text.replaceAll(/[`\s]/g, '_')}\``, line);
  }

  /** Returns the text, or undefined if the text has no words. */
  build(kind) {
    const text = this.#text.trimEnd();
    if (!/\p{L}{2}/u.test(text.replaceAll(/`[^`]*`/g, ''))) return undefined;
    return { kind, text, lines: this.#lines };
  }

  #append(piece, line) {
    const text = piece.replaceAll(/\s+/g, ' ');
    const trimmed = this.#text === '' || this.#text.endsWith(' ') ? text.trimStart() : text;
    if (trimmed === '') return;
    if (this.#lines.at(-1)?.[1] !== line) this.#lines.push([this.#text.length, line]);
    this.#text += trimmed;
  }
}

/** Returns the line of the source at an offset in a text. */
export function lineAt({ lines }, offset) {
  return lines.findLast(([start]) => start <= offset)?.[1] ?? lines[0][1];
}
