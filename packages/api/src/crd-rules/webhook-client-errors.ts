import { isObject, numberAt, stringAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';
import { dns1123SubdomainErrors } from '../names/dns-names.js';
import { append } from '../objects/append.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import { splitUrl, urlFault } from './url-fault.js';

const form = '; desired format: https://host[/path]';

/** Returns the errors of the clientConfig of a webhook: a URL or a service. */
export function webhookClientErrors(client: JsonObject, path: string): readonly FieldError[] {
  const { url, service } = client;
  if ((url === undefined) === (service === undefined)) {
    return [fieldErrors.required(path, 'exactly one of url or service is required')];
  }
  if (isObject(service)) return serviceErrors(service, `${path}.service`);
  return urlErrors(String(url), `${path}.url`);
}

/** Returns the errors of a URL. */
function urlErrors(text: string, path: string): readonly FieldError[] {
  const fault = urlFault(text);
  if (fault !== undefined) return [fieldErrors.required(path, `url must be a valid URL: ${fault}${form}`)];
  const bad = (value: string, why: string): FieldError => fieldErrors.invalid(path, value, why);
  const { scheme, authority, query, fragment } = splitUrl(text);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== 'https') errors.push(bad(scheme, `'https' is the only allowed URL scheme${form}`));
  if (host === '') errors.push(bad(host, `host must be specified${form}`));
  if (at >= 0) errors.push(bad(authority.slice(0, at), 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(bad(fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(bad(query, 'query parameters are not permitted in the URL'));
  return errors;
}

function serviceErrors(service: JsonObject, path: string): readonly FieldError[] {
  // As in kube-apiserver, the error for a missing namespace has the field `name`, and the error for a missing name has the field
  // `namespace`.
  const errors = [
    ...(stringAt(service, 'namespace') === '' ? [fieldErrors.required(`${path}.name`)] : []),
    ...(stringAt(service, 'name') === '' ? [fieldErrors.required(`${path}.namespace`)] : []),
  ];
  const port = numberAt(service, 'port') ?? 0;
  if (port < 1 || port > 65_535) {
    const why = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(fieldErrors.invalid(`${path}.port`, port, why));
  }
  const urlPath = stringAt(service, 'path');
  return urlPath === '' || urlPath === '/' ? errors : [...errors, ...pathErrors(urlPath, `${path}.path`)];
}

function pathErrors(text: string, path: string): readonly FieldError[] {
  const bad = (why: string): FieldError => fieldErrors.invalid(path, text, why);
  if (text === '//') return [bad('segment[0] may not be empty')];
  const errors: FieldError[] = text.startsWith('/') ? [] : [bad("must start with a '/'")];
  const checked = text.slice(1).replace(/\/$/, '');
  for (const [index, step] of checked.split('/').entries()) {
    if (step === '') errors.push(bad(`segment[${index}] may not be empty`));
    else
      append(
        errors,
        dns1123SubdomainErrors(step).map((why) => bad(`segment[${index}]: ${why}`)),
      );
  }
  return errors;
}
