import { ContainerShape } from './container-shape.js';

/** The text that replaces a secret value. */
export const MASK = '***';

/** The words at the end of secret names, as the source of a regular expression that ignores case. */
const words = (between: string): string =>
  `password|passwd|passphrase|pwd|secret(?<!serviceAccountTokenInSecret)|token(?<!automountServiceAccountToken)|credential|(?:private|api|access)${between}key|connection${between}string`;
/** The words that end only the names of fields. In a sentence, other texts than secrets follow these words. */
const fieldWords = (between: string): string =>
  `authorization|(?:client|private)${between}key${between}data|client${between}key|certificate${between}data|kubeconfig`;

const PASS_ENDING = '[a-z0-9_.-]pass|\\bpass';
/** The endings of secret names in texts, as the source of a regular expression that ignores case. */
export const SECRET_NAMES = `(?:${words('[_-]?')}|${PASS_ENDING})`;
/** The endings of the names of secret fields in texts, as the source of a regular expression that ignores case. */
export const SECRET_FIELD_NAMES = `(?:${words('[_-]?')}|${fieldWords('[_-]?')}|${PASS_ENDING})`;

const SECRET_NAME = new RegExp(`(?:${words('.?')}|${fieldWords('.?')})s?$`, 'i');
/** The short form: `pass`, `rootPass`, `db_pass`, and not `bypass`. */
const PASS_NAME = /(?:^|[_.-])pass$|[a-z0-9]Pass$|_PASS$/;
const INDEX = /^(?:\d+|-)$/;

/** Returns whether a field of this name holds a secret, such as `password`, `rootPass` or `apiToken`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || PASS_NAME.test(name);
}

/**
 * Returns whether the value at these names is secret: the last name is secret, or an earlier name is secret and the names that follow
 * are not those of a reference or of a schema. Indexes of lists do not count.
 */
export function isSecretAt(names: readonly string[]): boolean {
  const counted = names.filter((name) => !INDEX.test(name));
  const first = counted.findIndex(isSecretName);
  if (first === -1) return false;
  const within = counted.slice(first + 1);
  const shape = new ContainerShape();
  for (const name of within) shape.addMember(name);
  return within.length === 0 || isSecretName(within.at(-1) ?? '') || !shape.isOpen;
}
