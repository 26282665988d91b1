import { isJsonObject, setField } from '@kubewright/api/json';

/** A field of a client-node model: the name in the class, the JSON name, and the name of the type. */
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

/** Whether a value is a model class of client-node. */
export function isModelClass(value: unknown): value is ModelClass {
  return typeof value === 'function' && typeof (value as Partial<ModelClass>).getAttributeTypeMap === 'function';
}

/**
 * Whether an object is from client-node. Returns true if the class of the object or of its metadata is a model class, or if
 * `metadata.creationTimestamp` is a `Date`.
 */
export function isOfClientNode(object: object): boolean {
  const { metadata } = object as { readonly metadata?: unknown };
  const isDated = isJsonObject(metadata) && metadata['creationTimestamp'] instanceof Date;
  return isDated || isModelClass(object.constructor) || (isJsonObject(metadata) && isModelClass(metadata.constructor));
}

/**
 * Converts a value of client-node to its JSON form. Fields get their JSON names (`from` instead of `_from`), undefined fields are removed,
 * and dates become RFC 3339 text. Times have microseconds if the value or the field is a `V1MicroTime`. Other times have milliseconds only
 * if the milliseconds are not zero.
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

/** Converts an object of client-node to its JSON form. Returns any other object unchanged. */
export function asOnWire<T extends object>(object: T): T {
  return isOfClientNode(object) ? (wireValue(object) as T) : object;
}
