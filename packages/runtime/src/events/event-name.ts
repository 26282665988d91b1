import { randomUUID } from 'node:crypto';
import { dns1123SubdomainErrors } from '@kubewright/api/names';

const UNIQUE_DIGITS = 16;

/** Returns a name for a new Event: the name of its object with a random suffix. If this is not a valid name, returns a UUID. */
export function eventName(object: string): string {
  const name = `${object}.${randomUUID().replaceAll('-', '').slice(0, UNIQUE_DIGITS)}`;
  return dns1123SubdomainErrors(name).length === 0 ? name : randomUUID();
}
