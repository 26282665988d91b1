import { maskSecretFields } from '@kubewright/api/secrets';
import { shownText } from './known-secrets.js';

/** Returns a copy of a Kubernetes object with all fields. Masks secret fields, and credentials in other texts. */
export function maskedObject(object: object): unknown {
  return withShownTexts(maskSecretFields(object));
}

function withShownTexts(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withShownTexts);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShownTexts(member)]));
}
