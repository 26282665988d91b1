/** The text that replaces a secret value. */
export const MASK = '***';

/** The endings of secret names, except of flags of built-in kinds, as the source of a regular expression that ignores case. */
export const SECRET_NAMES =
  '(?:password|passwd|passphrase|pwd|secret(?<!serviceAccountTokenInSecret)|token(?<!automountServiceAccountToken)|credentials?|private[_-]?key|api[_-]?key|access[_-]?key|connection[_-]?string|[a-z0-9_.-]pass|\\bpass)';

const SECRET_NAME =
  /(password|passwd|passphrase|pwd|secret|token|authorization|credential|private.?key|api.?key|access.?key|client.?key|certificate.?data|connection.?string|kubeconfig)s?$/i;
/** Flags of built-in kinds. */
const FLAG_NAME = /^(?:automountServiceAccountToken|serviceAccountTokenInSecrets)$/;
/** The short form: `pass`, `rootPass`, `db_pass`, and not `bypass`. */
const PASS_NAME = /(?:^|[_.-])pass$|[a-z0-9]Pass$|_PASS$/;

/** Returns whether a field of this name holds a secret, such as `password`, `rootPass` or `apiToken`. */
export function isSecretName(name: string): boolean {
  return (SECRET_NAME.test(name) && !FLAG_NAME.test(name)) || PASS_NAME.test(name);
}
