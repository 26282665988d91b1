import { unrecognizedFormats } from '../crd-rules/formats.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import { stringifyJson } from '../json/stringify-json.js';
import type { KindRef } from '../objects/kube-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { validate } from '../schema/validate.js';
import { type DeclaredPlace, declaredPlace } from './declared-place.js';
import type { SchemaStep } from './schema-path.js';

/** The maximum size of an object in etcd, in bytes. */
export const mostBytes = 1.5 * 1024 * 1024;
const annotationBytes = 256 * 1024;

/** Returns the size in bytes of a definition as JSON, which is its storage format. */
export function sizeOf(crd: CustomResourceDefinition): number {
  return Buffer.byteLength(stringifyJson(crd));
}

/**
 * Returns a sentence for each setting of a definition that is valid but probably not intended.
 * @param kinds the kinds of the versions, in the order of the versions
 */
export function definitionWarnings(crd: CustomResourceDefinition, kinds: readonly KindRef[]): readonly string[] {
  const size = sizeOf(crd);
  const large = `the size of the definition is ${Math.ceil(size / 1024)} KiB, but kubectl apply stores it in an annotation of at most 256 KiB; apply it with --server-side, or generate it without descriptions`;
  return [
    ...(size < annotationBytes ? [] : [large]),
    ...new Set(
      unrecognizedFormats(crd).map((format) => `the API server does not validate the unknown format '${format}'`),
    ),
    ...new Set(
      crd.spec.versions.flatMap(({ schema }, index) => {
        const kind = kinds[index];
        if (kind === undefined) return [];
        return visit(schema?.openAPIV3Schema as StructuralSchema, [], (steps) => declaredPlace(kind, steps));
      }),
    ),
  ];
}

function visit(
  schema: StructuralSchema | undefined,
  steps: readonly SchemaStep[],
  place: (steps: readonly SchemaStep[]) => DeclaredPlace,
): readonly string[] {
  if (schema === undefined) return [];
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return [
    ...ownWarnings(schema, steps, place),
    ...Object.entries(schema.properties ?? {}).flatMap(([property, each]) =>
      visit(each, [...steps, { property }], place),
    ),
    ...visit(schema.items, [...steps, 'items'], place),
    ...visit(values, [...steps, 'values'], place),
  ];
}

function ownWarnings(
  schema: StructuralSchema,
  steps: readonly SchemaStep[],
  place: (steps: readonly SchemaStep[]) => DeclaredPlace,
): readonly string[] {
  const { nullable, example, properties = {}, required = [] } = schema;
  const warnings: string[] = [];
  if (nullable === true && schema.enum !== undefined) {
    warnings.push(
      `${place(steps).text} is nullable, but the API server rejects null for a field with an enum; move the enum into allOf`,
    );
  }
  if (example !== undefined && validate(example, schema).length > 0) {
    warnings.push(
      `the example of ${place(steps).text} does not match its schema: ${validate(example, schema)[0]?.message}`,
    );
  }
  for (const [name, property] of Object.entries(properties)) {
    if (steps[0] === undefined || isStatus(steps) || required.includes(name) || !isAllDefaults(property)) continue;
    const { text, own } = place([...steps, { property: name }]);
    if (!own) continue;
    warnings.push(
      `the API server applies the defaults within ${text} only if that field is set; add a default for the field if it must always be set`,
    );
  }
  return warnings;
}

function isStatus([first]: readonly SchemaStep[]): boolean {
  return typeof first === 'object' && first.property === 'status';
}

/** Whether an object schema has only optional fields, no default of its own, and at least one field with a non-empty default. */
function isAllDefaults({ properties, required = [], default: whole }: StructuralSchema): boolean {
  if (properties === undefined || whole !== undefined || required.length > 0) return false;
  return Object.values(properties).some((property) => property.default !== undefined && !isEmpty(property.default));
}

/** Whether a default is empty. Built-in types have empty defaults for compatibility, such as the name '' in a reference. */
function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
