import { maskSecretFields } from '@kubewright/api/secrets';
import { shownText } from './known-secrets.js';

/** Returns a whole copy of an object of Kubernetes: secret fields are masked, and so are credentials within other texts. */
export function maskedObject(object: object): unknown {
  return withShownTexts(maskSecretFields(object));
}

function withShownTexts(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withShownTexts);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShownTexts(member)]));
}
