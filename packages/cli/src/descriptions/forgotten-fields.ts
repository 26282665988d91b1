import { type AnyClass, metadataOf } from '@kubewright/api/metadata';
import type { Match } from './match-classes.js';

/**
 * Returns one sentence for each declared field that no schema contains: fields without a decorator in classes with decorated fields, and
 * fields in the class of a kind. TypeScript accepts values of these fields, but API servers drop the values silently.
 */
export function forgottenFields(classes: ReadonlyMap<AnyClass, Match>): readonly string[] {
  return [...classes].flatMap(([shape, match]) => forgottenIn(shape, match)).toSorted();
}

function forgottenIn(shape: AnyClass, { file, declared }: Match): readonly string[] {
  const { fields: known, spec, resource } = metadataOf(shape);
  const isKind = resource !== undefined;
  if (!isKind && Object.keys(known).length === 0) return [];
  const why = isKind ? 'is declared in the class of a kind' : 'has no decorator';
  const place = (spec ?? resource?.topLevel)?.name ?? 'a class for the spec';
  const remedy = isKind ? `move it to ${place} with @Field.…` : 'add @Field.… to it';
  return [...declared.fields.keys()]
    .filter((field) => !Object.hasOwn(known, field) && !(isKind && WHOLE.includes(field)))
    .map(
      (field) =>
        `${file.path}: field '${field}' of ${declared.name} ${why}, so no schema contains it and API servers drop its value; ${remedy}, or remove it`,
    );
}

/** Fields that every object of a kind has. The class of a kind may redeclare these fields, for example with narrower types. */
const WHOLE = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
