import type { Random } from '@kubewright/api/clock';
import { dns1123SubdomainErrors } from '@kubewright/api/names';

const UNIQUE_DIGITS = 16;

/** Returns a name for a new Event: the name of its object with a random suffix. If this is not a valid name, returns a UUID. */
export function eventName(object: string, { uuid }: Random): string {
  const name = `${object}.${uuid().replaceAll('-', '').slice(0, UNIQUE_DIGITS)}`;
  return dns1123SubdomainErrors(name).length === 0 ? name : uuid();
}
