const MASK = '***';
/** Ends of names, in text, whose values are secret. */
const NAMES =
  '(?:password|passwd|passphrase|pwd|secret|token|credentials?|private[_-]?key|api[_-]?key|access[_-]?key|connection[_-]?string|[a-z0-9_.-]pass|\\bpass)';

const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/g;
/** `postgres://user:password@host`; the user stays. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/?#@]*):[^\s/?#@]+@/gi;
/** `password=…`, `--token=…`, up to the end of the value. */
const ASSIGNED = new RegExp(`([\\w.-]*${NAMES}=)("[^"]*"|'[^']*'|[^\\s,;&"']+)`, 'gi');
/** `"password":"…"`, also inside of a JSON string. */
const QUOTED = new RegExp(`(["'][\\w.-]*${NAMES}\\\\*["']\\s*:\\s*\\\\*["'])[^"'\\\\]+`, 'gi');

/** A text with its credentials masked: tokens of headers, passwords of URLs, and values of names such as `password=` and `"rootPass":`. */
export function maskText(text: string): string {
  return text
    .replace(BEARER, `$1 ${MASK}`)
    .replace(URL_PASSWORD, `$1:${MASK}@`)
    .replace(ASSIGNED, `$1${MASK}`)
    .replace(QUOTED, `$1${MASK}`);
}
