import { isJsonObject } from '@kubewright/api/json';

/** A copy in which fields that are undefined are left out, since JSON has no such thing. */
export function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutUndefined(field)])) as T;
}

/** Whether there is a list anywhere in the value. */
export function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isJsonObject(value) && Object.values(value).some(hasList);
}
