import type { FieldError } from '@kubewright/api/schema';

/** Formats a text in double quotes, as in the messages of kube-apiserver. */
export function goQuoted(text: string): string {
  return JSON.stringify(text);
}

/** Formats quoted texts in brackets, as in `["a" "b"]`. */
export function goList(texts: readonly string[]): string {
  return `[${texts.map(goQuoted).join(' ')}]`;
}

/**
 * Formats a struct as some messages of kube-apiserver show it: as JSON, with null for undefined values. The caller passes the internal
 * field names in the order of kube-apiserver.
 */
export function goStruct(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields, (_, value: unknown) => (value === undefined ? null : value));
}

/** Returns an `Invalid value: <struct>: <detail>` error. */
export function invalidStruct(path: string, fields: Readonly<Record<string, unknown>>, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${goStruct(fields)}: ${detail}` };
}

/** Returns an `Unsupported value: <struct>: supported values: …` error. */
export function unsupportedStruct(
  path: string,
  fields: Readonly<Record<string, unknown>>,
  supported: readonly string[],
): FieldError {
  const listed = supported.map(goQuoted).join(', ');
  const message = `Unsupported value: ${goStruct(fields)}: supported values: ${listed}`;
  return { reason: 'FieldValueNotSupported', field: path, message };
}
