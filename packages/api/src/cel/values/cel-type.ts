/** The kind of a CEL type. */
export type CelKind =
  | 'dyn'
  | 'error'
  | 'unspecified'
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

/** A CEL type. Immutable. */
export interface CelType {
  readonly kind: CelKind;
  readonly name: string;
  readonly parameters: readonly CelType[];
}

function simple(kind: CelKind, name: string = kind): CelType {
  return { kind, name, parameters: [] };
}

/** The types without parameters. */
export const celTypes = {
  dyn: simple('dyn'),
  error: simple('error', '!error!'),
  /** The type of a field that is declared without a type. No value has this type. */
  unspecified: simple('unspecified', ''),
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

/** Returns the type of lists with elements of the given type. */
export function listOf(element: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [element] };
}

/** Returns the type of maps with the given key and value types. */
export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

/** Returns the type of optional values of the given type. */
export function optionalOf(value: CelType): CelType {
  return { kind: 'opaque', name: 'optional_type', parameters: [value] };
}

/** Returns the type of a type, as `type(x)` does. */
export function typeOf(type: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: [type] };
}

/** Returns the type of objects with declared fields. */
export function structType(name: string): CelType {
  return simple('struct', name);
}

/** Returns a type variable. */
export function typeParameter(name: string): CelType {
  return simple('param', name);
}

/** Whether the type is dyn or the error type. */
export function isDynOrError({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

/** Returns the type within an optional type, or undefined for any other type. */
export function withinOptional({ kind, name, parameters }: CelType): CelType | undefined {
  return kind === 'opaque' && name === 'optional_type' ? parameters[0] : undefined;
}

/** Formats a type for compile errors: `list(string)`. */
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

/** Formats a type by its full name, as the API server reports the type of an expression: `list(google.protobuf.Timestamp)`. */
export function typeText({ kind, name, parameters }: CelType): string {
  const text = kind === 'param' ? `<${name}>` : name;
  return parameters.length === 0 ? text : `${text}(${parameters.map(typeText).join(', ')})`;
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
