import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../generated/apiextensions/v1.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { pathText, type SchemaStep } from './schema-path.js';

const mostShown = 5;

/**
 * Returns a sentence for each version that lacks fields of another version. Without a conversion webhook, the API server prunes these
 * fields from every object that is stored in the version or written through the version.
 */
export function lostFields({ spec }: CustomResourceDefinition): readonly string[] {
  const versions = spec.versions.filter(({ served, storage }) => served || storage);
  return versions.flatMap((version) => {
    const lacking = new Map(
      versions.flatMap((other) =>
        lackingIn(rootOf(version), rootOf(other), []).map((path) => [path, other.name] as const),
      ),
    );
    if (lacking.size === 0) return [];
    const shown = [...lacking].slice(0, mostShown).map(([path, other]) => `${path} of ${other}`);
    const more = lacking.size > mostShown ? [`${lacking.size - mostShown} more`] : [];
    const when = version.storage
      ? `at every write, because objects are stored as ${version.name}`
      : `when a client writes an object or its status as ${version.name}`;
    return [
      `${version.name} does not have ${[...shown, ...more].join(', ')}: without a conversion webhook, these values are lost ${when}; ` +
        `add the fields to ${version.name}, or add a class with @Converter`,
    ];
  });
}

function rootOf({ schema }: CustomResourceDefinitionVersion): StructuralSchema {
  return (schema?.openAPIV3Schema ?? {}) as StructuralSchema;
}

/** Returns the paths of `other` that `schema` would prune. For a pruned field, returns the path of the field and no paths below. */
function lackingIn(schema: StructuralSchema, other: StructuralSchema, steps: readonly SchemaStep[]): readonly string[] {
  const { properties, items, additionalProperties: values } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || values === true) return [];
  const within = (own: StructuralSchema | false | undefined, field: StructuralSchema, step: SchemaStep) =>
    own ? lackingIn(own, field, [...steps, step]) : [pathText([...steps, step])];
  const { items: otherItems, additionalProperties: otherValues } = other;
  return [
    ...Object.entries(other.properties ?? {}).flatMap(([property, field]) =>
      within(properties?.[property] ?? values, field, { property }),
    ),
    ...(items && otherItems ? within(items, otherItems, 'items') : []),
    ...(typeof otherValues === 'object' ? within(values, otherValues, 'values') : []),
  ];
}
