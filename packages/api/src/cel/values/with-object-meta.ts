import type { StructuralSchema } from '../../schema/structural-schema.js';

const TEXT: StructuralSchema = { type: 'string' };

/**
 * Returns the schema of a resource with the fields that are always available in rules: apiVersion, kind, metadata.name and
 * metadata.generateName.
 */
export function withObjectMeta(schema: StructuralSchema): StructuralSchema {
  const { properties = {} } = schema;
  const { kind, apiVersion, metadata } = properties;
  const named = metadata?.properties?.['name']?.type === 'string';
  const generated = metadata?.properties?.['generateName']?.type === 'string';
  if (kind?.type === 'string' && apiVersion?.type === 'string' && metadata?.type === 'object' && named && generated) {
    return schema;
  }
  const meta: StructuralSchema = { type: 'object', properties: { name: TEXT, generateName: TEXT } };
  return { ...schema, properties: { ...properties, kind: TEXT, apiVersion: TEXT, metadata: meta } };
}
