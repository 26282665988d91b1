import type { Steps } from '@kubewright/api/apply';
import { stringifyJson } from '@kubewright/api/json';
import { invalidValueSteps } from '@kubewright/api/schema';
import type { RequestContext } from '../request-context.js';
import type { ResourceDefinition } from '../resource-definition.js';
import { badRequest, invalid } from '../status-errors.js';

const shownBytes = 30;

/** Whether the body is what a patch has made of an object, and not what a client has sent. */
export function isPatched({ verb, operation }: RequestContext): boolean {
  return verb === 'patch' && operation !== 'Apply';
}

/** Returns in steps the 422 for a result of a patch that is not an object of the kind. */
export function* patchInvalid(patched: unknown, why: string, context: RequestContext): Steps<Error> {
  const shown = context.shownPatch?.() ?? bodyText(yield* inOrder(patched, context));
  yield;
  const error = yield* invalidValueSteps('patch', shown, why);
  yield;
  return invalid({ group: '', kind: '', plural: '' }, '', [error]);
}

/** Returns in steps the body with its fields in the order of kube-apiserver. */
export function* inOrder(body: unknown, { patchedInOrder }: RequestContext): Steps<unknown> {
  if (patchedInOrder === undefined) return body;
  const ordered = yield* patchedInOrder(body);
  yield;
  return ordered;
}

/** 400: the body is of the kind, but cannot be read as one. */
export function notHandled({ kind, version }: Pick<ResourceDefinition, 'kind' | 'version'>, why: string): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}

/** 400: the body does not say what it is; `shown` is its beginning. */
export function unrecognized({ kind }: ResourceDefinition, why: string, shown: string): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${shown})`);
}

/** The body as the server's own program writes JSON. */
export function bodyText(body: unknown): string {
  return stringifyJson(body).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The beginning of a text. */
export function shortened(text: string): string {
  return text.length > shownBytes ? `${text.slice(0, shownBytes)} ...` : text;
}
