import { Breaks, finish, type Steps } from '@kubewright/api/apply';
import { createHash } from 'node:crypto';

/** The label by which the ReplicaSets of a Deployment and their Pods are told apart. */
export const podTemplateHashLabel = 'pod-template-hash';

// Without vowels and look-alikes, so that no name says anything.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const length = 10;

/** A short name-safe hash of a Pod template; `collisions` makes another one of the same template. */
export function podTemplateHash(template: unknown, collisions: number | undefined): string {
  return finish(podTemplateHashSteps(template, collisions));
}

/** Does the same in steps. */
export function* podTemplateHashSteps(template: unknown, collisions: number | undefined): Steps<string> {
  const bytes = createHash('sha256')
    .update(yield* canonical(template, new Breaks()))
    .update(String(collisions ?? 0))
    .digest();
  return [...bytes.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** Returns JSON with sorted keys: equal values give equal text. */
function* canonical(value: unknown, breaks: Breaks): Steps<string> {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  const fields: readonly [string, unknown][] = Object.entries(value);
  const texts: string[] = [];
  for (const [key, child] of isList ? fields : fields.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (child === undefined && !isList) continue;
    const text = yield* canonical(child, breaks);
    texts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
    if (breaks.isDue()) yield;
  }
  return isList ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
}
