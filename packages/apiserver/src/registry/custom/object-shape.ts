import {
  type FieldError,
  type StructuralSchema,
  type TimeLimit,
  validateBriefly,
  validateUpdate,
} from '@kubewright/api/schema';
import type { ApiObject } from '../json-object.js';

const blocking = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

/** The schema of a custom resource without its rules. */
export class ObjectShape {
  readonly #authored: StructuralSchema;
  readonly #whole: StructuralSchema;
  /** The restrictions of names. The other metadata has the rules of all objects. */
  readonly #names: StructuralSchema | undefined;

  /** @param authored the schema of the definition */
  constructor(authored: StructuralSchema) {
    const { metadata, ...properties } = authored.properties ?? {};
    const text: StructuralSchema = { type: 'string' };
    this.#authored = authored;
    this.#whole = { ...authored, properties: { ...properties, apiVersion: text, kind: text, metadata: {} } };
    this.#names = metadata === undefined ? undefined : { type: 'object', properties: { metadata } };
  }

  /**
   * Returns the errors of an object; of a changed object, those that the change has caused.
   * @throws TakesLong if there is a time limit, and the checks take longer
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

/** Whether an error prevents the judgement of the rules. */
export function blocksRules({ reason }: FieldError): boolean {
  return blocking.includes(reason);
}

/** The metadata is checked by the rules that all objects have in common. */
function withoutMetadata(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(({ field }) => !field.startsWith('metadata'));
}
