import { isAlreadyExists, isNotFound } from './api-error.js';

/**
 * What the call came to, or undefined when it failed because there is no such object. Every other error is thrown on.
 *
 * @example
 * await ignoreNotFound(client.patch(pod, (draft) => { draft.metadata.labels.seen = 'yes'; }));
 */
export function ignoreNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  return ignoring(isNotFound, call);
}

/**
 * What the call came to, or undefined when it failed because there is such an object already. Every other error is thrown on.
 *
 * @example
 * await ignoreAlreadyExists(client.create(new Namespace({ metadata: { name: 'team-a' } })));
 */
export function ignoreAlreadyExists<T>(call: Promise<T>): Promise<T | undefined> {
  return ignoring(isAlreadyExists, call);
}

async function ignoring<T>(isIgnored: (error: unknown) => boolean, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isIgnored(error)) return undefined;
    throw error;
  }
}
