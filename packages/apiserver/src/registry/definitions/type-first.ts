import { emptyObject } from '../objects/json-object.js';
import type { ResourceDefinition } from './resource-definition.js';

const builtInOrder = ['kind', 'apiVersion', 'metadata'];
const customOrder = ['apiVersion', 'kind', 'metadata'];

/**
 * Returns the object with its type and metadata first, in the order of kube-apiserver: built-in objects begin with `kind`, custom objects
 * with `apiVersion`. Some clients recognize JSON objects by this beginning.
 */
export function typeFirst<T extends object>(object: T, { custom }: Pick<ResourceDefinition, 'custom'>): T {
  const order = custom ? customOrder : builtInOrder;
  const keys = Object.keys(object);
  if (order.every((key, at) => keys[at] === key)) return object;
  const ordered = emptyObject();
  for (const key of order) if (key in object) ordered[key] = object[key as keyof T];
  for (const key of keys) ordered[key] = object[key as keyof T];
  return ordered as T;
}
