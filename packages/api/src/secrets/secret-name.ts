import { ContainerShape } from './container-shape.js';

/** The text that replaces a secret value. */
export const MASK = '***';

/** Returns the words at the end of secret names, as the source of a regular expression that ignores case. */
const words = (between: string): string =>
  `password|passwd|passphrase|pwd|secret(?<!serviceAccountTokenInSecret)|token(?<!automountServiceAccountToken)|credential|(?:private|api|access)${between}key|connection${between}string`;
/** Returns the additional words at the end of the names of secret fields. In a sentence, these words do not precede a secret. */
const fieldWords = (between: string): string =>
  `authorization|(?:client|private)${between}key${between}data|client${between}key|certificate${between}data|kubeconfig`;

const PASS_ENDING = '[a-z0-9_.-]pass|\\bpass';
/** The endings of secret names in texts, as the source of a regular expression that ignores case. */
export const SECRET_NAMES = `(?:${words('[_-]?')}|${PASS_ENDING})`;
/** The endings of the names of secret fields in texts, as the source of a regular expression that ignores case. */
export const SECRET_FIELD_NAMES = `(?:${words('[_-]?')}|${fieldWords('[_-]?')}|${PASS_ENDING})`;

const SECRET_NAME = new RegExp(`(?:${words('.?')}|${fieldWords('.?')})s?$`, 'i');
/** Names that end in the short form: `pass`, `rootPass`, `db_pass`, but not `bypass`. */
const PASS_NAME = /(?:^|[_.-])pass$|[a-z0-9]Pass$|_PASS$/;
const INDEX = /^(?:\d+|-)$/;

/** Whether a field of this name contains a secret, such as `password`, `rootPass` or `apiToken`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || PASS_NAME.test(name);
}

/**
 * Whether the value at a path of names is secret. This is true if the last name is secret, or if an earlier name is secret and the
 * following names are not those of a reference or a schema. List indexes are ignored.
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
