import type { FieldError } from '@kubewright/api/schema';

/** A text in double quotes, as the server's own program writes it in its messages. */
export function goQuoted(text: string): string {
  return JSON.stringify(text);
}

/** Texts in quotes between brackets, as in `["a" "b"]`. */
export function goList(texts: readonly string[]): string {
  return `[${texts.map(goQuoted).join(' ')}]`;
}

/**
 * A part of an object under the names and in the order that its fields have inside the server, as some messages show
 * it; what is undefined is null there.
 */
export function goStruct(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields, (_, value: unknown) => (value === undefined ? null : value));
}

/** `Invalid value: <struct>: <detail>`. */
export function invalidStruct(path: string, fields: Readonly<Record<string, unknown>>, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${goStruct(fields)}: ${detail}` };
}

/** `Unsupported value: <struct>: supported values: …`. */
export function unsupportedStruct(
  path: string,
  fields: Readonly<Record<string, unknown>>,
  supported: readonly string[],
): FieldError {
  const listed = supported.map(goQuoted).join(', ');
  const message = `Unsupported value: ${goStruct(fields)}: supported values: ${listed}`;
  return { reason: 'FieldValueNotSupported', field: path, message };
}
