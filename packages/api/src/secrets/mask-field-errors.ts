import { bracketEnd, replaceAfter, stringAt } from './quoted-text.js';
import { isSecretAt, MASK } from './secret-name.js';

const KINDS = '(?:Invalid value|Unsupported value|Duplicate value|Not found|Internal error)';
/** `spec.users[0].password: Invalid value: `, as the API server writes an error about a field. */
const FIELD_ERROR = new RegExp(
  `([A-Za-z_][\\w.$/-]{0,200}(?:\\[[^\\]]{0,200}\\][\\w.$/-]{0,200}){0,20}): ${KINDS}: `,
  'g',
);
/** An error about a field without the path. */
const PATHLESS = new RegExp(`^${KINDS}: `, 'g');
const OTHER_VALUE = /[^\s,:\]]+/y;

/**
 * Masks the values in errors about secret fields: `spec.pin: Invalid value: "***": …`. Does not change the path, the reason and the detail.
 *
 * @param isSecret whether the value at a path is, or contains, a secret; by default, the names in the path determine this
 * @param path the field of a message that does not begin with a path
 */
export function maskFieldErrors(
  text: string,
  isSecret: (path: string) => boolean = isSecretFieldPath,
  path?: string,
): string {
  const masked = replaceAfter(text, FIELD_ERROR, (at, [, of = '']) => (isSecret(of) ? maskedAt(text, at) : undefined));
  if (path === undefined || !isSecret(path)) return masked;
  return replaceAfter(masked, PATHLESS, (at) => maskedAt(masked, at));
}

/** Whether the value at a path such as `spec.db.password`, `data[api-token]` or `spec.credentials.pin` is secret. */
export function isSecretFieldPath(path: string): boolean {
  return isSecretAt(namesOfPath(path));
}

/** Returns the names and the indexes of a path such as `spec.users[0].pin`. */
export function namesOfPath(path: string): readonly string[] {
  return path.split(/\.|\[|\]\.?/).filter((name) => name !== '');
}

function maskedAt(text: string, at: number): { readonly end: number; readonly by: string } {
  const string = stringAt(text, at);
  if (string !== undefined) return { end: string.end, by: string.quote + MASK + string.quote };
  if (text[at] === '{' || text[at] === '[') return { end: bracketEnd(text, at, ''), by: MASK };
  OTHER_VALUE.lastIndex = at;
  return { end: at + (OTHER_VALUE.exec(text)?.[0].length ?? 0), by: MASK };
}
