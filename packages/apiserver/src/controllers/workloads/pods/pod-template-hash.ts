import { Breaks, finish, type Steps } from '@kubewright/api/apply';
import { parseJson } from '@kubewright/api/json';
import { createHash } from 'node:crypto';

/** The label that distinguishes the ReplicaSets of a Deployment and their Pods. */
export const podTemplateHashLabel = 'pod-template-hash';

// Kubernetes uses the same alphabet for generated names. The alphabet has no vowels and no digits that look like vowels, so that names do
// not contain words.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const length = 10;

/** Returns a short hash of a Pod template that is valid in names. `collisions` changes the hash of the same template. */
export function podTemplateHash(template: unknown, collisions: number | undefined): string {
  return finish(podTemplateHashSteps(template, collisions));
}

/** Returns the result of `podTemplateHash`, in steps. */
export function* podTemplateHashSteps(template: unknown, collisions: number | undefined): Steps<string> {
  const bytes = createHash('sha256')
    .update(yield* canonical(template, new Breaks()))
    .update(String(collisions ?? 0))
    .digest();
  return [...bytes.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** Returns a copy of a JSON value whose objects have sorted keys, as Kubernetes writes the data of ControllerRevisions. */
export function* withSortedKeys(value: object): Steps<object> {
  return parseJson(yield* canonical(value, new Breaks())) as object;
}

/** Returns JSON with sorted keys, so that equal values have equal texts. */
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
