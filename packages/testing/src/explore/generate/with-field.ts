import { isJsonObject } from '@kubewright/api/json';

/** Returns a copy of the object in which a field has the given value. Undefined removes the field. */
export function withField(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const { [name]: _, ...others } = object;
  return value === undefined ? others : { ...others, [name]: value };
}

/** Returns a copy of the value in which a nested field has the value `next`. Creates missing objects on the path. */
export function withFieldAt(value: unknown, path: readonly string[], next: unknown): unknown {
  const [name, ...below] = path;
  if (name === undefined) return next;
  const object = isJsonObject(value) ? value : {};
  return withField(object, name, withFieldAt(object[name], below, next));
}

/** Returns the value of a nested field. Returns undefined if the field is absent. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((each, name) => (isJsonObject(each) ? each[name] : undefined), value);
}

/** Whether a path is the path of `field`, or of a field inside `field`: 'spec.tls.enabled' is in 'spec.tls'. */
export function isIn(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
