import { messageOf } from '@kubewright/api/errors';
import { isSecretContainer, isSecretName, isSecretObject, MASK } from '@kubewright/api/secrets';
import { shownText } from './known-secrets.js';
import { loggedObject } from './logged-object.js';

const DEEPEST = 6;

/** The options of `maskSecrets`. */
export interface MaskOptions {
  /** Whether errors include their stack. */
  readonly stacks: boolean;
}

/**
 * Returns a copy of a value for a log, with secrets masked. Converts errors to plain objects, reduces Kubernetes objects to apiVersion,
 * kind, namespace and name, and limits the depth.
 */
export function maskSecrets(value: unknown, options: MaskOptions = { stacks: true }): unknown {
  return masked(value, { ...options, depth: 0 });
}

interface Place extends MaskOptions {
  readonly depth: number;
}

function masked(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return shownText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (place.depth >= DEEPEST) return Array.isArray(value) ? '[…]' : '{…}';
  const inside = { ...place, depth: place.depth + 1 };
  if (value instanceof Error) return maskError(value, inside);
  if (Array.isArray(value)) return value.map((item) => masked(item, inside));
  return loggedObject(value) ?? maskMembers(value as Readonly<Record<string, unknown>>, inside);
}

function maskMembers(value: Readonly<Record<string, unknown>>, inside: Place): Record<string, unknown> {
  const isSecret = isSecretObject(value);
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isData = isSecret && (name === 'data' || name === 'stringData');
    const shown = isData ? MASK : masked(member, inside);
    members[name] = isSecretName(name) && isHidden(member, shown) ? MASK : shown;
  }
  return members;
}
/**
 * Whether the value of a field with a secret name is masked. A Kubernetes object or a reference is not masked, because only its kind and
 * name are shown.
 */
function isHidden(member: unknown, shown: unknown): boolean {
  if (typeof shown === 'object' && shown !== null) return isSecretContainer(shown);
  return /^(?:string|number|boolean|bigint)$/.test(typeof member) || typeof shown === 'string';
}
function maskError(error: Error, inside: Place): Record<string, unknown> {
  const { code } = error as { readonly code?: unknown };
  return {
    name: error.name,
    ...(code !== undefined && { code: masked(code, inside) }),
    message: masked(messageOf(error), inside),
    ...(inside.stacks && { stack: masked(error.stack, inside) }),
    ...(error.cause !== undefined && { cause: masked(error.cause, inside) }),
  };
}
