import { randomUUID } from 'node:crypto';
import { dns1123SubdomainErrors } from '@kubewright/api/names';

const UNIQUE_DIGITS = 16;

/** Returns a name for an Event on an object: the name of the object with a suffix, or a UUID if that is not a valid name. */
export function eventName(object: string): string {
  const name = `${object}.${randomUUID().replaceAll('-', '').slice(0, UNIQUE_DIGITS)}`;
  return dns1123SubdomainErrors(name).length === 0 ? name : randomUUID();
}
