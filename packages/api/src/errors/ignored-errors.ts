import { isAlreadyExists, isNotFound } from './api-error.js';

/**
 * Returns the result of the call, or undefined if the object does not exist. Rethrows every other error.
 * @example
 * await ignoreNotFound(client.patch(pod, (draft) => { draft.metadata.labels.seen = 'yes'; }));
 */
export function ignoreNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  return ignoring(isNotFound, call);
}

/**
 * Returns the result of the call, or undefined if the object already exists. Rethrows every other error.
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
