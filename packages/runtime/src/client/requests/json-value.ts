import { isJsonObject, setField } from '@kubewright/api/json';

/** Returns a deep copy without undefined fields, because JSON cannot represent undefined. */
export function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (!isJsonObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field !== undefined) setField(kept, name, withoutUndefined(field));
  }
  return kept as T;
}

/** Whether the value contains a list at any depth. */
export function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isJsonObject(value) && Object.values(value).some(hasList);
}
