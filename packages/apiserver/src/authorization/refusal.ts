import type { ApiError } from '@kubewright/api/errors';
import { failure } from '../registry/requests/status-errors.js';
import type { Attributes, ResourceAttributes } from './attributes.js';

/** Returns the 403 error for an action that the user is not allowed to perform. */
export function refusal(attributes: Attributes, reason: string): ApiError {
  const why = sanitized(forbiddenSentence(attributes)) + (reason === '' ? '' : `: ${reason}`);
  if (attributes.kind === 'path') return failure(403, 'Forbidden', { message: `forbidden: ${why}`, details: {} });
  const { group, resource, name } = attributes;
  const subject = group === '' ? resource : `${resource}.${group}`;
  return failure(403, 'Forbidden', {
    message: `${subject}${name === '' ? '' : ` ${JSON.stringify(name)}`} is forbidden: ${why}`,
    details: { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource },
  });
}

function forbiddenSentence(attributes: Attributes): string {
  const who = `User ${JSON.stringify(attributes.user.name)} cannot ${attributes.verb}`;
  return attributes.kind === 'path' ? `${who} path ${JSON.stringify(attributes.path)}` : `${who} ${place(attributes)}`;
}

function place({ group, resource, subresource, namespace }: ResourceAttributes): string {
  const named = JSON.stringify(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `resource ${named} in API group ${JSON.stringify(group)} ${where}`;
}

function sanitized(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
