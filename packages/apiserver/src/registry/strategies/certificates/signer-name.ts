import { dns1123LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { goQuoted } from '../rules/go-text.js';

const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/** Returns the errors of a signer name: a domain, a slash and a path. */
export function signerNameErrors(name: string, path: string): readonly FieldError[] {
  if (name === '') return [fieldErrors.required(path)];
  const parts = name.split('/');
  const [domain = '', rest = ''] = parts;
  if (parts.length !== 2) return [fieldErrors.invalid(path, name, form)];
  const errors = [...firstBad(domain, path, dns1123LabelErrors)];
  if (!domain.includes('.')) {
    errors.push(fieldErrors.invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  }
  return [...errors, ...firstBad(rest, path, dns1123SubdomainErrors)];
}

/** Returns the errors of the first invalid label in the domain or path of a signer name. */
function firstBad(part: string, path: string, rule: (label: string) => readonly string[]): readonly FieldError[] {
  const label = part.split('.').find((candidate) => rule(candidate).length > 0);
  if (label === undefined) return [];
  return rule(label).map((why) => fieldErrors.invalid(path, part, `validating label ${goQuoted(label)}: ${why}`));
}
