import { isJsonObject, setField } from '@kubewright/api/json';

/** A field of a model of client-node: its name in the class, its name on the wire, and its type in words. */
export interface ModelField {
  readonly name: string;
  readonly baseName: string;
  readonly type: string;
}
/** A class of client-node, such as `V1Pod`. */
export interface ModelClass<T = object> {
  new (): T;
  getAttributeTypeMap(): readonly ModelField[];
}

/** Whether a value is a class of client-node's models. */
export function isModelClass(value: unknown): value is ModelClass {
  return typeof value === 'function' && typeof (value as Partial<ModelClass>).getAttributeTypeMap === 'function';
}

/** Whether an object is, or has parts that are, read by client-node: models of its classes, or dates. */
export function isOfClientNode(object: object): boolean {
  const { metadata } = object as { readonly metadata?: unknown };
  const isDated = isJsonObject(metadata) && metadata['creationTimestamp'] instanceof Date;
  return isDated || isModelClass(object.constructor) || (isJsonObject(metadata) && isModelClass(metadata.constructor));
}

/**
 * Returns a value of client-node as it is on the wire: fields under their own names (`from` instead of `_from`), without fields that are
 * undefined, and dates as RFC 3339 text. A `V1MicroTime`, or a date in one of its fields, has microseconds; any other date has
 * fractions of a second only if it is not at a full second.
 */
export function wireValue(value: unknown): unknown {
  return wireOf(value, undefined);
}

function wireOf(value: unknown, type: string | undefined): unknown {
  if (value instanceof Date) return timeText(value, type);
  if (Array.isArray(value)) return value.map((item) => wireOf(item, type));
  if (!isJsonObject(value)) return value;
  const fields = isModelClass(value.constructor) ? value.constructor.getAttributeTypeMap() : [];
  const byName = new Map(fields.map((field) => [field.name, field]));
  const wire: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const field = byName.get(name);
    setField(wire, field?.baseName ?? name, wireOf(member, field?.type));
  }
  return wire;
}

function timeText(date: Date, type: string | undefined): string {
  const text = date.toISOString();
  if (/\.\d{6}Z$/.test(text)) return text;
  return type?.includes('MicroTime') ? text.replace('Z', '000Z') : text.replace('.000Z', 'Z');
}

/** Returns an object as it is on the wire. One that client-node did not read is returned as it is. */
export function asOnWire<T extends object>(object: T): T {
  return isOfClientNode(object) ? (wireValue(object) as T) : object;
}
