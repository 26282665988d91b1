import { SECRET_FIELD_NAMES } from './secret-name.js';

const VALUE = /\bvalue\\*["']?\s*:/;
const SECRET_PATH_OR_NAME = new RegExp(
  `\\bpath\\\\*["']?\\s*:\\s*\\\\*["']?\\\\?/|\\bname\\\\*["']?\\s*:\\s*\\\\*["']?[\\w.-]{0,100}${SECRET_FIELD_NAMES}`,
  'i',
);

/** Returns whether a text may have a JSON patch, or a variable with a secret name. Every text that has one of them has matches of both. */
export function isSecretPair(text: string): boolean {
  return VALUE.test(text) && SECRET_PATH_OR_NAME.test(text);
}
