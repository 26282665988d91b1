/**
 * The maximum length of a value that messages show. A longer value is probably the content of a kubeconfig with a token, and not a path.
 */
const LONGEST_SHOWN_PATH = 256;

/**
 * Returns whether the value of an option `kubeconfig` is the content of a kubeconfig: it has several lines, or is a JSON object. Any other
 * value is a path.
 */
export function isKubeconfigText(value: string): boolean {
  const text = value.trim();
  return /[\r\n]/.test(text) || (text.startsWith('{') && text.endsWith('}'));
}

/** Whether a kubeconfig contains only comments or an empty document. */
export function isBlankKubeconfig(text: string): boolean {
  return text.split('\n').every((line) => /^\uFEFF?\s*(?:---|\.\.\.|null|~|\{\s*\})?\s*(?:#.*)?$/.test(line));
}

/**
 * Returns the value of an option `kubeconfig` for a message. Returns a path unchanged, and `(inline)` for the content of a kubeconfig. For
 * a value that is too long for a path, such as a kubeconfig in base64, returns only the length.
 */
export function shownKubeconfig(value: string): string {
  if (isKubeconfigText(value)) return INLINE;
  return value.length > LONGEST_SHOWN_PATH ? `(a value of ${value.length} characters)` : value;
}

/** The file name for a kubeconfig whose content was passed directly. */
export const INLINE = '(inline)';
