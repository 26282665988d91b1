import { SECRET_FIELD_NAMES } from './secret-name.js';

const VALUE = /\bvalue\\*["']?\s*:/;
const SECRET_PATH_OR_NAME = new RegExp(
  `\\bpath\\\\*["']?\\s*:\\s*\\\\*["']?\\\\?/|\\bname\\\\*["']?\\s*:\\s*\\\\*["']?[\\w.-]{0,100}${SECRET_FIELD_NAMES}`,
  'i',
);

/**
 * Whether a text may contain an operation of a JSON patch, or an environment variable whose name is secret. Returns true for every such
 * text, and also for some other texts.
 */
export function isSecretPair(text: string): boolean {
  return VALUE.test(text) && SECRET_PATH_OR_NAME.test(text);
}
