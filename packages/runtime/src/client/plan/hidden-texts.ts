import { isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { MASK, mapSecretFields, type SecretRules } from '@kubewright/api/secrets';
import { shownText } from '../../log/known-secrets.js';
import type { FieldChange } from './field-change.js';

/** The prefix of placeholders. Contains a character that the API server rejects, so that no real text has this prefix. */
const HIDDEN = '\u0000secret ';

/** Replaces the texts of secret fields with placeholders. Equal texts get equal placeholders, so that objects can still be compared. */
export class HiddenTexts {
  readonly #rules: SecretRules;
  readonly #placeholders = new Map<string, string>();

  constructor(rules: SecretRules) {
    this.#rules = rules;
  }

  /** Returns a copy of the object with placeholders instead of the texts of secret fields. */
  in(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const placeholderOf = ({ text }: { readonly text: string }): string => {
      const known = this.#placeholders.get(text) ?? `${HIDDEN}${this.#placeholders.size}`;
      this.#placeholders.set(text, known);
      return known;
    };
    return mapSecretFields(object, this.#rules, placeholderOf) as Readonly<Record<string, unknown>>;
  }

  /**
   * Returns a change for display. Masks the placeholders. If one of the values is a secret, or if only secrets in the values differ,
   * returns the field without values.
   */
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
