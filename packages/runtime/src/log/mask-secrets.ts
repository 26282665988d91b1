const MASK = '***';
/** Names whose values nobody may read, wherever they stand. */
const SECRET_NAME =
  /(password|passwd|secret|token|authorization|credential|private.?key|api.?key|client.?key|certificate.?data|kubeconfig)s?$/i;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/g;
const DEEPEST = 6;

/** A copy of the value fit for a log: secrets masked, errors as data, depth limited. Numbers and booleans are never secret. */
export function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(BEARER, `$1 ${MASK}`);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (depth >= DEEPEST) return Array.isArray(value) ? '[…]' : '{…}';
  if (value instanceof Error) return maskError(value, depth);
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
  return maskMembers(value as Readonly<Record<string, unknown>>, depth);
}

function maskMembers(value: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const isSecret = value.kind === 'Secret';
  const masked: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const hidden = (isSecret && (name === 'data' || name === 'stringData')) || isHidden(name, member);
    masked[name] = hidden ? MASK : maskSecrets(member, depth + 1);
  }
  return masked;
}
function isHidden(name: string, member: unknown): boolean {
  return (typeof member === 'string' || Array.isArray(member)) && SECRET_NAME.test(name);
}
function maskError(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { readonly code?: unknown };
  return {
    name: error.name,
    ...(code !== undefined && { code: maskSecrets(code, depth + 1) }),
    message: maskSecrets(error.message),
    stack: maskSecrets(error.stack),
    ...(error.cause !== undefined && { cause: maskSecrets(error.cause, depth + 1) }),
  };
}
