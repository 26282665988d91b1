/** What sort of values a type has. */
export type CelKind =
  | 'dyn'
  | 'error'
  | 'null_type'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'struct'
  | 'opaque'
  | 'param';

/** A type of the expression language. Immutable; two types are the same if their texts are. */
export interface CelType {
  readonly kind: CelKind;
  readonly name: string;
  readonly parameters: readonly CelType[];
}

function simple(kind: CelKind, name: string = kind): CelType {
  return { kind, name, parameters: [] };
}

/** The types that have no parameters. */
export const celTypes = {
  dyn: simple('dyn'),
  error: simple('error', '!error!'),
  null: simple('null_type'),
  bool: simple('bool'),
  int: simple('int'),
  uint: simple('uint'),
  double: simple('double'),
  string: simple('string'),
  bytes: simple('bytes'),
  timestamp: simple('timestamp', 'google.protobuf.Timestamp'),
  duration: simple('duration', 'google.protobuf.Duration'),
  type: simple('type'),
  url: simple('struct', 'kubernetes.URL'),
  quantity: simple('struct', 'kubernetes.Quantity'),
  semver: simple('struct', 'kubernetes.Semver'),
  format: simple('struct', 'kubernetes.NamedFormat'),
  ip: simple('opaque', 'net.IP'),
  cidr: simple('opaque', 'net.CIDR'),
} as const;

/** A list of elements of one type. */
export function listOf(element: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [element] };
}

/** A map of keys of one type to values of another. */
export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

/** A value of the type, or none. */
export function optionalOf(value: CelType): CelType {
  return { kind: 'opaque', name: 'optional_type', parameters: [value] };
}

/** The type of a type, as `type(x)` gives it. */
export function typeOf(type: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: [type] };
}

/** An object with declared fields. */
export function structType(name: string): CelType {
  return simple('struct', name);
}

/** A variable that stands for a type. */
export function typeParameter(name: string): CelType {
  return simple('param', name);
}

/** Whether the type says nothing about the value. */
export function isDynOrError({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

/** The type within an optional type, or undefined if it is none. */
export function withinOptional({ kind, name, parameters }: CelType): CelType | undefined {
  return kind === 'opaque' && name === 'optional_type' ? parameters[0] : undefined;
}

/** The type as compile errors write it: `list(string)`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'timestamp':
    case 'duration':
      return type.kind;
    case 'null_type':
      return 'null';
    default:
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(formatType).join(', ')})`;
  }
}

/** Whether two types are the same. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, index) => {
    const other = b.parameters[index];
    return other !== undefined && sameType(parameter, other);
  });
}
