import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';

const pathRule = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** Returns the errors of a domain-prefixed path such as `acme.io/foo`. */
export function domainPrefixedPathErrors(text: string, path: string): readonly FieldError[] {
  if (text === '') return [fieldErrors.required(path)];
  const slash = text.indexOf('/');
  const host = text.slice(0, slash);
  const rest = text.slice(slash + 1);
  if (slash <= 0 || rest === '') {
    return [fieldErrors.invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = dns1123SubdomainErrors(host).map((why) => fieldErrors.invalid(path, host, why));
  if (!new RegExp(`^${pathRule}$`).test(rest)) {
    const why = `Invalid path (regex used for validation is '${pathRule}')`;
    errors.push(fieldErrors.invalid(path, rest, why));
  }
  return errors;
}
