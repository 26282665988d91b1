import type { Steps } from '@kubewright/api/apply';
import { InvalidJsonError, parseJson } from '@kubewright/api/json';
import { applyJsonPatchSteps, PatchError } from '@kubewright/api/patch';
import type { JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { internalError } from '../../registry/requests/status-errors.js';
import { checkValues, valueBudget } from '../../storage/value-limit.js';
import type { ReviewResponse } from './review-response.js';
import type { Webhook } from './webhook.js';
import { WebhookFailure } from './webhook-failure.js';

/**
 * Applies the patch of a response in steps. Returns undefined if the response has no patch or the patch has no operations. Throws a
 * WebhookFailure for a patch that cannot be decoded or has an unsupported type. Throws 500 for a patch that cannot be applied or a request
 * without an object, and 413 for a result with too many values.
 */
export function* patchedObject(
  { patch, patchType }: ReviewResponse,
  { webhook, object }: { readonly webhook: Webhook; readonly object: JsonObject | undefined },
): Steps<JsonDraft | undefined> {
  if (patch === '') return undefined;
  const operations = decodedPatch(patch, webhook);
  if (operations.length === 0) return undefined;
  if (object === undefined) {
    const what = `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object`;
    throw internalError(`${what}, which is not supported for this operation`);
  }
  if (patchType !== 'JSONPatch') {
    throw new WebhookFailure(webhook.name, `unsupported patch type ${JSON.stringify(patchType)}`);
  }
  yield;
  const patched = yield* applied(object, operations);
  yield;
  checkValues(patched);
  return patched;
}

function decodedPatch(patch: string, { name }: Webhook): readonly unknown[] {
  const undecodable = (why: string): WebhookFailure =>
    new WebhookFailure(name, `received undecodable patch in webhook response: ${why}`);
  try {
    const operations = parseJson(patch);
    if (Array.isArray(operations)) return operations;
    if (operations === null) return [];
    const found = typeof operations === 'boolean' ? 'bool' : typeof operations;
    throw undecodable(`json: cannot unmarshal ${found} into Go value of type jsonpatch.Patch`);
  } catch (error) {
    if (error instanceof InvalidJsonError) throw undecodable(goJsonFault(patch, error));
    throw error;
  }
}

/** Returns Go's error text for a text that is not valid JSON. */
function goJsonFault(text: string, { position = text.length }: InvalidJsonError): string {
  const found = text[position];
  if (found === undefined) return 'unexpected end of JSON input';
  return `invalid character ${found === "'" ? "'\\''" : `'${found}'`} looking for beginning of value`;
}

function* applied(object: JsonObject, operations: readonly unknown[]): Steps<JsonDraft> {
  const spend = valueBudget();
  try {
    return (yield* applyJsonPatchSteps(object, operations, { onCopy: spend })) as JsonDraft;
  } catch (error) {
    if (error instanceof PatchError) throw internalError(error.message);
    throw error;
  }
}
