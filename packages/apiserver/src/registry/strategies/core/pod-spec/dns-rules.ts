import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, objectsAt, stringAt, textsAt } from '../../../objects/json-object.js';
import { each, ipErrors, searchDomainErrors } from './value-rules.js';

const mostServers = 3;
const mostSearches = 32;
const mostCharacters = 2048;

/** Returns the errors of the DNS settings of a Pod. */
export function dnsErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const { dnsConfig: config } = spec as { dnsConfig?: unknown };
  const at = `${path}.dnsConfig`;
  const servers = textsAt(config, 'nameservers');
  if (spec['dnsPolicy'] === 'None') {
    if (config === undefined) return [fieldErrors.required(at, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (servers.length === 0) {
      const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return [fieldErrors.required(`${at}.nameservers`, why)];
    }
  }
  if (!isObject(config)) return [];
  const errors: FieldError[] = [];
  if (servers.length > mostServers) {
    errors.push(
      fieldErrors.invalid(`${at}.nameservers`, servers, `must not have more than ${mostServers} nameservers`),
    );
  }
  append(
    errors,
    errorsOfEach(servers, (server, index) => ipErrors(server, `${at}.nameservers[${index}]`)),
  );
  const searches = textsAt(config, 'searches');
  if (searches.length > mostSearches) {
    errors.push(
      fieldErrors.invalid(`${at}.searches`, searches, `must not have more than ${mostSearches} search paths`),
    );
  }
  if (searches.join(' ').length > mostCharacters) {
    const why = `must not have more than ${mostCharacters} characters (including spaces) in the search list`;
    errors.push(fieldErrors.invalid(`${at}.searches`, searches, why));
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    append(errors, each(search.replace(/\.$/, ''), `${at}.searches[${index}]`, searchDomainErrors));
  }
  for (const [index, option] of objectsAt(config, 'options').entries()) {
    if (stringAt(option, 'name') === '') {
      errors.push(fieldErrors.required(`${at}.options[${index}]`, 'must not be empty'));
    }
  }
  return errors;
}
