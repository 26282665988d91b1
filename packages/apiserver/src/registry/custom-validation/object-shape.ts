import {
  type FieldError,
  type StructuralSchema,
  type TimeLimit,
  validateBriefly,
  validateUpdate,
} from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import { isWithin } from '../objects/within-field.js';

const blocking = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

/** Validates custom objects with their schema, without the CEL rules in the schema. */
export class ObjectShape {
  readonly #authored: StructuralSchema;
  readonly #whole: StructuralSchema;
  /**
   * The schema of `metadata.name` and `metadata.generateName` in the CustomResourceDefinition; undefined if there is no such schema. The
   * common rules validate the other metadata.
   */
  readonly #names: StructuralSchema | undefined;

  /** @param authored the schema in the CustomResourceDefinition */
  constructor(authored: StructuralSchema) {
    const { metadata, ...properties } = authored.properties ?? {};
    const text: StructuralSchema = { type: 'string' };
    this.#authored = authored;
    this.#whole = { ...authored, properties: { ...properties, apiVersion: text, kind: text, metadata: {} } };
    this.#names = metadata === undefined ? undefined : { type: 'object', properties: { metadata } };
  }

  /**
   * Returns the errors of an object. For an updated object, omits errors in unchanged values, as `validateUpdate` does.
   * @throws TakesLong if the validation takes longer than `limit`
   */
  errors(object: ApiObject, old?: ApiObject, limit?: TimeLimit): readonly FieldError[] {
    const { metadata } = object;
    const names = this.#names;
    if (old === undefined) {
      const ofNames = names === undefined ? [] : validateBriefly({ metadata }, names, { limit });
      return [...ofNames, ...withoutMetadata(validateBriefly(object, this.#whole, { limit }))];
    }
    const before = { metadata: old.metadata };
    const ofNames =
      names === undefined ? [] : validateUpdate({ metadata }, before, { schema: names, authored: names, limit });
    const schemas = { schema: this.#whole, authored: this.#authored, limit };
    return [...ofNames, ...withoutMetadata(validateUpdate(object, old, schemas))];
  }
}

/** Whether an error prevents the evaluation of the CEL rules. */
export function blocksRules({ reason }: FieldError): boolean {
  return blocking.includes(reason);
}

/** Removes the errors of the metadata, because the common rules validate the metadata. */
function withoutMetadata(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(({ field }) => !isWithin(field, 'metadata'));
}
