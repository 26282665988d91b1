import { isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { MASK, mapSecretFields, type SecretRules } from '@kubewright/api/secrets';
import { shownText } from '../../log/known-secrets.js';
import type { FieldChange } from './field-change.js';

/** The prefix of placeholders. It contains a character that the server does not accept in a text. */
const HIDDEN = '\u0000secret ';

/** Replaces texts of secret fields by placeholders. Equal texts have equal placeholders, so objects can be compared without the texts. */
export class HiddenTexts {
  readonly #rules: SecretRules;
  readonly #placeholders = new Map<string, string>();

  constructor(rules: SecretRules) {
    this.#rules = rules;
  }

  /** Returns a copy of an object in which placeholders replace the texts of secret fields. */
  in(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const placeholderOf = ({ text }: { readonly text: string }): string => {
      const known = this.#placeholders.get(text) ?? `${HIDDEN}${this.#placeholders.size}`;
      this.#placeholders.set(text, known);
      return known;
    };
    return mapSecretFields(object, this.#rules, placeholderOf) as Readonly<Record<string, unknown>>;
  }

  /** Returns a change for display: with masked values, and without values if only a secret differs. */
  shownChange({ field, from, to }: FieldChange): FieldChange {
    const [before, after] = [withMasks(from), withMasks(to)];
    if (before === MASK || after === MASK || deepEqual(before, after)) return { field, secret: true };
    return { field, ...(from !== undefined && { from: before }), ...(to !== undefined && { to: after }) };
  }
}

function withMasks(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(HIDDEN) ? MASK : shownText(value);
  if (Array.isArray(value)) return value.map(withMasks);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMasks(member)]));
}
