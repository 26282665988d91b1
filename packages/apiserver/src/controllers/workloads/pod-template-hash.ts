import { createHash } from 'node:crypto';

/** The label by which the ReplicaSets of a Deployment and their Pods are told apart. */
export const podTemplateHashLabel = 'pod-template-hash';

// Without vowels and look-alikes, so that no name says anything.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const length = 10;

/** A short name-safe hash of a Pod template; `collisions` makes another one of the same template. */
export function podTemplateHash(template: unknown, collisions: number | undefined): string {
  const bytes = createHash('sha256')
    .update(canonical(template))
    .update(String(collisions ?? 0))
    .digest();
  return [...bytes.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** JSON with sorted keys: equal values give equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
