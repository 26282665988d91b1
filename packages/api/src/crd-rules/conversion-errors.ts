import { dns1035LabelErrors } from '../names/dns-names.js';
import { append } from '../objects/append.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import { isObject, stringAt, valueAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';

const known = ['v1', 'v1beta1'];

/** Returns the errors in the conversion of a definition. */
export function conversionErrors(conversion: JsonObject): readonly FieldError[] {
  const path = 'spec.conversion';
  const strategy = stringAt(conversion, 'strategy');
  const client = valueAt(conversion, 'webhook', 'clientConfig');
  const versions = valueAt(conversion, 'webhook', 'conversionReviewVersions');
  const listed = Array.isArray(versions) ? versions.map(String) : [];
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(fieldErrors.required(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.push(fieldErrors.notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  if (strategy === 'Webhook') {
    append(errors, clientErrors(client, `${path}.webhookClientConfig`));
    append(errors, versionErrors(listed, `${path}.conversionReviewVersions`));
    return errors;
  }
  const why = 'should not be set when strategy is not set to Webhook';
  if (client !== undefined) errors.push(fieldErrors.forbidden(`${path}.webhookClientConfig`, why));
  if (listed.length > 0) errors.push(fieldErrors.forbidden(`${path}.conversionReviewVersions`, why));
  return errors;
}

function clientErrors(client: unknown, path: string): readonly FieldError[] {
  if (!isObject(client)) return [fieldErrors.required(path, 'required when strategy is set to Webhook')];
  if ((client['url'] === undefined) !== (client['service'] === undefined)) return [];
  return [fieldErrors.required(path, 'exactly one of url or service is required')];
}

function versionErrors(versions: readonly string[], path: string): readonly FieldError[] {
  if (versions.length === 0) return [fieldErrors.required(path)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, index) => {
    if (seen.has(version)) return [fieldErrors.invalid(`${path}[${index}]`, version, 'duplicate version')];
    seen.add(version);
    return dns1035LabelErrors(version).map((why) => fieldErrors.invalid(`${path}[${index}]`, version, why));
  });
  if (versions.some((version) => known.includes(version))) return errors;
  return [...errors, fieldErrors.invalid(path, versions, `must include at least one of ${known.join(', ')}`)];
}
