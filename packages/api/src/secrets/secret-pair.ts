import { SECRET_FIELD_NAMES } from './secret-name.js';

const VALUE = /\bvalue\\*["']?\s*:/;
const SECRET_PATH_OR_NAME = new RegExp(
  `\\bpath\\\\*["']?\\s*:\\s*\\\\*["']?\\\\?/|\\bname\\\\*["']?\\s*:\\s*\\\\*["']?[\\w.-]{0,100}${SECRET_FIELD_NAMES}`,
  'i',
);

/** Whether a text may contain a JSON patch, or an environment variable with a secret name. Every such text matches both patterns. */
export function isSecretPair(text: string): boolean {
  return VALUE.test(text) && SECRET_PATH_OR_NAME.test(text);
}
