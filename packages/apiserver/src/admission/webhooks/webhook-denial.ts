import { ApiError, type Status } from '@kubewright/api/errors';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { isObject, numberAt, objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import { badRequest } from '../../registry/requests/status-errors.js';

const leastCode = 400;
/**
 * The fields that a denial keeps from the metadata, the details and the causes of the Status that a webhook sends. Other fields are
 * dropped.
 */
const listFields = ['resourceVersion', 'continue', 'remainingItemCount'];
const detailFields = ['name', 'group', 'kind', 'uid', 'retryAfterSeconds'];
const causeFields = ['reason', 'message', 'field'];

/**
 * Returns the error for a request that a webhook denies. The code, the reason and the details are from the Status that the webhook sent. A
 * code below 400 is replaced with 400.
 */
export function webhookDenial(webhook: string, status: JsonObject = {}): ApiError {
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = stringAt(status, 'message') || stringAt(status, 'reason');
  const outcome = stringAt(status, 'status');
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: picked(objectAt(status, 'metadata'), listFields),
    ...picked(status, ['reason']),
    ...(isObject(status['details']) ? { details: detailsOf(status['details']) } : {}),
    status: outcome === '' || outcome === 'Success' ? 'Failure' : outcome,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    code: Math.max(numberAt(status, 'code') ?? 0, leastCode),
  } as Status);
}

function detailsOf(details: JsonObject): JsonObject {
  const causes = objectsAt(details, 'causes').map((cause) => picked(cause, causeFields));
  return { ...picked(details, detailFields), ...(causes.length === 0 ? {} : { causes }) };
}

/** Returns the given fields of an object, if they are set. */
function picked(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (object[field] === undefined ? [] : [[field, object[field]] as const])),
  );
}

/** Returns the error with code 400 for a dry run that a webhook with side effects would review. */
export function dryRunUnsupported(webhook: string): ApiError {
  return badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
}
