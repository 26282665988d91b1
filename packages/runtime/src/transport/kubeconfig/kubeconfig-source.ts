/** The longest value that messages show. A longer value is probably a kubeconfig with a token, not a path. */
const LONGEST_SHOWN_PATH = 256;

/**
 * Reports whether the value of an option `kubeconfig` is the text of a kubeconfig. Every other value is a path. A text has several
 * lines, or is one JSON object.
 */
export function isKubeconfigText(value: string): boolean {
  const text = value.trim();
  return /[\r\n]/.test(text) || (text.startsWith('{') && text.endsWith('}'));
}

/**
 * Returns the value of an option `kubeconfig` for a message: a path unchanged, and `(inline)` for the text of a kubeconfig. For a value
 * that is too long for a path, such as a kubeconfig in base64, returns only the length.
 */
export function shownKubeconfig(value: string): string {
  if (isKubeconfigText(value)) return INLINE;
  return value.length > LONGEST_SHOWN_PATH ? `(a value of ${value.length} characters)` : value;
}

/** The file name of a kubeconfig that is passed as text. */
export const INLINE = '(inline)';
