import { randomUUID } from 'node:crypto';
import { dns1123SubdomainErrors } from '@kubewright/api/names';

const UNIQUE_DIGITS = 16;

/** A name for an Event on an object: its name with a suffix, or, where that could not be the name of an Event, a UUID. */
export function eventName(object: string): string {
  const name = `${object}.${randomUUID().replaceAll('-', '').slice(0, UNIQUE_DIGITS)}`;
  return dns1123SubdomainErrors(name).length === 0 ? name : randomUUID();
}
