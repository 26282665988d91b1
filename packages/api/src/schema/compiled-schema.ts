import type { StructuralSchema } from './structural-schema.js';
import { type FormatTest, textFormat } from './text-formats.js';

/** What validation looks up often about a schema, found once. */
export interface CompiledSchema {
  /** The types it allows; empty for any. */
  readonly types: readonly string[];
  /** The format, '' when Kubernetes does not check it for this type. */
  readonly format: string;
  readonly formatTest: FormatTest | undefined;
  readonly properties: readonly (readonly [string, StructuralSchema])[];
}

const compiled = new WeakMap<StructuralSchema, CompiledSchema>();

/** The compiled form of a schema; schemas are immutable, so it is kept as long as they are. */
export function compileSchema(schema: StructuralSchema): CompiledSchema {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const types = intOrString
    ? ['integer', 'string']
    : schema.type === undefined || schema.type === ''
      ? []
      : [schema.type];
  const format = checkedFormat(schema.format ?? '', types);
  const made: CompiledSchema = {
    types,
    format,
    formatTest: format === '' ? undefined : textFormat(format),
    properties: Object.entries(schema.properties ?? {}),
  };
  compiled.set(schema, made);
  return made;
}

function checkedFormat(format: string, types: readonly string[]): string {
  const [only] = types;
  if (types.length !== 1 || only === 'string') return textFormat(format) === undefined ? '' : format;
  if (only === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (only === 'number') return format === 'float' || format === 'double' ? format : '';
  return '';
}
