import type { Admission, AdmissionRequest, Defaulter, Draft, KubeObject, Validator, Violation } from '@kubewright/api';
import { mutable } from '@kubewright/api';
import type { AdmissionType } from '@kubewright/api/metadata';
import { KubewrightError } from '@kubewright/api/errors';
import { append, isJsonObject } from '@kubewright/api/json';
import { jsonPatchBetween } from '@kubewright/api/patch';
import { type AdmissionDecision, allowed, denied } from './admission-response.js';
import { invalidStatus } from './invalid-status.js';

/** A handler of admission requests: the object with the methods that its type requires. */
export type AdmissionHandler = Defaulter<KubeObject> | Validator<KubeObject> | Admission<object>;

/** The kind of the object in a request, for the status of an invalid object. */
export interface RequestedKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * Calls the handlers with the draft of an object, one after the other, and returns a decision with the changes as a JSON patch. Admits a
 * delete without calling the handlers.
 */
export async function mutate(
  type: AdmissionType,
  handlers: readonly AdmissionHandler[],
  request: AdmissionRequest<KubeObject>,
): Promise<AdmissionDecision> {
  const { object } = request;
  // A delete has no object, so that there is nothing to change.
  if (object === undefined) return allowed();
  const draft = mutable(object);
  for (const handler of handlers) {
    if (type === 'defaulter') await (handler as Defaulter<KubeObject>).default(draft, request);
    else await (handler as Admission<KubeObject>).mutate?.(draft, request);
  }
  return allowed(jsonPatchBetween(object, withoutEmptyMetadata(draft, object)));
}

/**
 * Calls all handlers and returns their decision. If a handler returns a violation, the decision is to reject the request. Rejects with the
 * error of a handler, or with INVALID_WEBHOOK_RESULT.
 */
export async function validate(
  type: AdmissionType,
  handlers: readonly AdmissionHandler[],
  request: AdmissionRequest<KubeObject>,
  kind: RequestedKind,
): Promise<AdmissionDecision> {
  const { object, old } = request;
  const violations: Violation[] = [];
  for (const handler of handlers) {
    const found =
      type === 'validator'
        ? await (handler as Validator<KubeObject>).validate((object ?? old) as KubeObject, old, request)
        : await (handler as Admission<KubeObject>).validate?.(request);
    append(violations, checkedViolations(found));
  }
  if (violations.length === 0) return allowed();
  return denied(invalidStatus({ ...kind, name: request.name, object: object ?? old }, violations));
}

/** Throws INVALID_WEBHOOK_RESULT if the value is not a list of violations, so that a missing `return` does not admit the object. */
function checkedViolations(found: unknown): readonly Violation[] {
  const isViolation = (each: unknown): boolean =>
    isJsonObject(each) && typeof each['field'] === 'string' && typeof each['message'] === 'string';
  if (Array.isArray(found) && found.every(isViolation)) return found as readonly Violation[];
  throw new KubewrightError(
    'INVALID_WEBHOOK_RESULT',
    `validate returned ${Array.isArray(found) ? 'a list with an item that is not a violation' : describedValue(found)}; return a list of { field, message }, and [] to admit the object`,
  );
}
function describedValue(value: unknown): string {
  return value === undefined || value === null || typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}

/** Removes empty labels, annotations and finalizers from a draft if the object does not have these fields. */
function withoutEmptyMetadata(draft: Draft<KubeObject>, object: KubeObject): unknown {
  const { metadata } = draft as unknown as { readonly metadata?: Readonly<Record<string, unknown>> };
  if (!isJsonObject(metadata)) return draft;
  const before: Readonly<Record<string, unknown>> = { ...object.metadata };
  const kept = Object.entries(metadata).filter(
    ([key, value]) => !(['labels', 'annotations', 'finalizers'].includes(key) && !(key in before) && isEmpty(value)),
  );
  return { ...draft, metadata: Object.fromEntries(kept) };
}
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
