// Joins a text that spans several lines of a source into one line, and maps positions in the text to lines of the source.

/**
 * Collects the pieces of a text. Adds code in backticks, so that the rules can skip the code. Replaces white space, including line breaks,
 * with one space.
 */
export class TextBuilder {
  #text = '';
  /** Pairs of an offset in the text and the number of the source line that starts at this offset. */
  #lines = [];

  /** Appends prose. `line` is the line in the source. */
  prose(text, line) {
    this.#append(text, line);
  }

  /** Appends code, which the rules do not check. */
  code(text, line) {
    this.#append(`\`${text.replaceAll(/[`\s]/g, '_')}\``, line);
  }

  /** Returns the text; undefined if the text contains no words outside of code. */
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

/** Returns the line in the source that corresponds to an offset in a text. */
export function lineAt({ lines }, offset) {
  return lines.findLast(([start]) => start <= offset)?.[1] ?? lines[0][1];
}
