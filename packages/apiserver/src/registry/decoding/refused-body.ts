import type { Steps } from '@kubewright/api/apply';
import { stringifyJson } from '@kubewright/api/json';
import { invalidValueSteps } from '@kubewright/api/schema';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { badRequest, invalid } from '../requests/status-errors.js';

const shownBytes = 30;

/** Whether the body is the result of a patch, and not a body that a client sent. Returns false for a server-side apply. */
export function isPatched({ verb, operation }: RequestContext): boolean {
  return verb === 'patch' && operation !== 'Apply';
}

/** Returns the 422 for a patch whose result is not an object of the kind. Works in steps. */
export function* patchInvalid(patched: unknown, why: string, context: RequestContext): Steps<Error> {
  const shown = context.shownPatch?.() ?? bodyText(yield* inOrder(patched, context));
  yield;
  const error = yield* invalidValueSteps('patch', shown, why);
  yield;
  return invalid({ group: '', kind: '', plural: '' }, '', [error]);
}

/** Returns the body with the field order of kube-apiserver, or unchanged if the context has no `patchedInOrder`. Works in steps. */
export function* inOrder(body: unknown, { patchedInOrder }: RequestContext): Steps<unknown> {
  if (patchedInOrder === undefined) return body;
  const ordered = yield* patchedInOrder(body);
  yield;
  return ordered;
}

/** Returns the 400 for a body that declares the kind but cannot be decoded. */
export function notHandled({ kind, version }: Pick<ResourceDefinition, 'kind' | 'version'>, why: string): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}

/** Returns the 400 for a body without a recognizable type. `shown` is the beginning of the body. */
export function unrecognized({ kind }: ResourceDefinition, why: string, shown: string): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${shown})`);
}

/** Formats the body as the JSON of kube-apiserver, which escapes HTML characters. */
export function bodyText(body: unknown): string {
  return stringifyJson(body).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the first 30 characters of a text and ` ...`. Returns a text of at most 30 characters unchanged. */
export function shortened(text: string): string {
  return text.length > shownBytes ? `${text.slice(0, shownBytes)} ...` : text;
}
