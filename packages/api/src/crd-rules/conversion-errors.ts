import { dns1035LabelErrors } from '../names/dns-names.js';
import { append } from '../objects/append.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import { isObject, stringAt, valueAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';
import { webhookClientErrors } from './webhook-client-errors.js';

const known = ['v1', 'v1beta1'];

/**
 * Returns the errors in the conversion of a definition. A definition needs at least one review version that the API server knows, except if
 * `old` has review versions and the API server knows none of them.
 */
export function conversionErrors(conversion: JsonObject, old: JsonObject = {}): readonly FieldError[] {
  const path = 'spec.conversion';
  const strategy = stringAt(conversion, 'strategy');
  const client = valueAt(conversion, 'webhook', 'clientConfig');
  const listed = reviewVersions(conversion);
  const before = reviewVersions(old);
  const mustBeKnown = before.length === 0 || before.some((version) => known.includes(version));
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(fieldErrors.required(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.push(fieldErrors.notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  if (strategy === 'Webhook') {
    append(errors, clientErrors(client, `${path}.webhookClientConfig`));
    append(errors, versionErrors(listed, `${path}.conversionReviewVersions`, mustBeKnown));
    return errors;
  }
  const why = 'should not be set when strategy is not set to Webhook';
  if (client !== undefined) errors.push(fieldErrors.forbidden(`${path}.webhookClientConfig`, why));
  if (listed.length > 0) errors.push(fieldErrors.forbidden(`${path}.conversionReviewVersions`, why));
  return errors;
}

function clientErrors(client: unknown, path: string): readonly FieldError[] {
  if (!isObject(client)) return [fieldErrors.required(path, 'required when strategy is set to Webhook')];
  return webhookClientErrors(client, path);
}

function reviewVersions(conversion: JsonObject): readonly string[] {
  const versions = valueAt(conversion, 'webhook', 'conversionReviewVersions');
  return Array.isArray(versions) ? versions.map(String) : [];
}

function versionErrors(versions: readonly string[], path: string, mustBeKnown: boolean): readonly FieldError[] {
  if (versions.length === 0) return [fieldErrors.required(path)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, index) => {
    if (seen.has(version)) return [fieldErrors.invalid(`${path}[${index}]`, version, 'duplicate version')];
    seen.add(version);
    return dns1035LabelErrors(version).map((why) => fieldErrors.invalid(`${path}[${index}]`, version, why));
  });
  if (!mustBeKnown || versions.some((version) => known.includes(version))) return errors;
  return [...errors, fieldErrors.invalid(path, versions, `must include at least one of ${known.join(', ')}`)];
}
