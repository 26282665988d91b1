const mostCharacters = 4096;
const mostOfOne = 256;

/** The Warning headers of an answer, as one header with commas: each sentence once, shortened where all are too much. */
export function warningHeaders(sentences: readonly string[]): Readonly<Record<string, string>> {
  const said = [...new Set(sentences)].filter((sentence) => sentence !== '' && !/\p{Cc}/u.test(sentence));
  if (said.length === 0) return {};
  return {
    warning: fitting(said)
      .map((sentence) => `299 - ${quoted(sentence)}`)
      .join(', '),
  };
}

/** The sentence that is too much shortens itself and all the others; behind it come as many as there is room for. */
function fitting(sentences: readonly string[]): readonly string[] {
  let written = 0;
  const tooMuch = sentences.findIndex((sentence) => (written += [...sentence].length) > mostCharacters);
  if (tooMuch === -1) return sentences;
  const short = sentences.map((sentence) => [...sentence].slice(0, mostOfOne).join(''));
  written = 0;
  const end = short.findIndex((sentence, at) => {
    if (at > tooMuch && written >= mostCharacters) return true;
    written += [...sentence].length;
    return false;
  });
  return end === -1 ? short : short.slice(0, end);
}

/** The sentence in UTF-8, as the bytes of which a header is made. */
function quoted(sentence: string): string {
  const bytes = Buffer.from(sentence.replace(/[\\"]/g, '\\$&')).toString('latin1');
  return `"${bytes}"`;
}
