import { stringAt } from './quoted-text.js';

/**
 * Applies `mask` to the content of each JSON string that has several lines, such as a YAML document in a ConfigMap. The last string of the
 * text can be truncated.
 *
 * @param mask masks the content of a string
 */
export function maskEscapedTexts(text: string, mask: (text: string) => string): string {
  if (!text.includes('\\n')) return text;
  let result = '';
  let copied = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    const end = stringAt(text, at)?.end ?? text.length;
    const string = text.slice(at, end);
    if (string.includes('\\n')) {
      result +=
        text.slice(copied, at) +
        (maskedString(string, mask) ?? maskedString(`${string}"`, mask)?.slice(0, -1) ?? string);
      copied = end;
    }
    at = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** Returns the masked JSON string, or undefined if the text is not a JSON string. */
function maskedString(json: string, mask: (text: string) => string): string | undefined {
  try {
    const content: unknown = JSON.parse(json);
    if (typeof content !== 'string') return undefined;
    const masked = mask(content);
    return masked === content ? json : JSON.stringify(masked);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
