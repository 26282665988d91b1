import { classRules, withRules } from '../fields/class-rules.js';
import { classSchema, described } from '../fields/class-schema.js';
import type { Descriptions } from '../fields/descriptions.js';
import type { ClassMetadata } from '../metadata/class-metadata.js';
import { kindSourceOf } from '../metadata/kind-source.js';
import { metadataOf } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { kindOf } from './kind-of.js';
import { objectSchema } from './object-schema.js';

/**
 * Returns the schema of a complete object of a kind, or undefined for `dynamicKind(…)` and `metadataOnly(…)`. Builds the schema once per
 * kind.
 * @throws KubewrightError the errors of `kindOf`, and the errors in the classes of the spec and the status
 */
export function objectSchemaOf(ref: KindRef): StructuralSchema | undefined {
  kindOf(ref);
  const source = kindSourceOf(ref);
  if (source !== undefined) return source.schema?.();
  const metadata = metadataOf(ref);
  const known = schemas.get(metadata);
  if (known !== undefined) return known;
  const schema = declaredSchema(metadata);
  if (schema !== undefined) schemas.set(metadata, schema);
  return schema;
}

/**
 * Returns the same schema as `objectSchemaOf`, with the documented descriptions of classes and fields. A schema passed to `defineKind` is
 * returned unchanged.
 * @throws KubewrightError as `objectSchemaOf` does
 */
export function describedSchemaOf(ref: KindRef, descriptions: Descriptions): StructuralSchema | undefined {
  kindOf(ref);
  if (kindSourceOf(ref) !== undefined) return objectSchemaOf(ref);
  const schema = declaredSchema(metadataOf(ref), descriptions);
  return schema === undefined ? undefined : described(schema, descriptions(ref));
}

function declaredSchema(metadata: ClassMetadata, descriptions?: Descriptions): StructuralSchema | undefined {
  const { spec, status, resource, schema } = metadata;
  if (resource === undefined) return undefined;
  const { specDefault, statusDefault, topLevel, specOptional } = resource;
  const whole = objectSchema({
    spec: spec && withDefault(classSchema(spec, descriptions), specDefault),
    status: status && withDefault(classSchema(status, descriptions), statusDefault),
    topLevel: topLevel && classSchema(topLevel, descriptions),
    specOptional,
  });
  return withRules({ ...whole, ...schema }, classRules(metadata));
}

function withDefault(schema: StructuralSchema, fallback: object | undefined): StructuralSchema {
  return fallback === undefined ? schema : { ...schema, default: fallback };
}

/** Returns the schema of the spec of a kind, or undefined if the kind has no spec or no known schema. */
export function specSchemaOf(ref: KindRef): StructuralSchema | undefined {
  return objectSchemaOf(ref)?.properties?.spec;
}

/**
 * The schemas by class metadata. Classes cannot be the keys, because a decorator that runs later creates new metadata for the same class.
 */
const schemas = new WeakMap<ClassMetadata, StructuralSchema>();
