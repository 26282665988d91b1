import { ApiError, type StatusCause, type StatusDetails } from '@kubewright/api/errors';
import { pathSegmentErrors } from '@kubewright/api/names';
import { type FieldError, limitErrors } from '@kubewright/api/schema';

/** The fields of a definition that error texts contain. */
export interface ErrorSubject {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

/** Returns the plural name and the group, such as `deployments.apps`. For the core group, returns only the plural name, such as `pods`. */
function qualifiedResource({ group, plural }: ErrorSubject): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Returns the 404 for an object that does not exist. */
export function notFound(subject: ErrorSubject, name: string): ApiError {
  return failure(404, 'NotFound', {
    message: `${qualifiedResource(subject)} ${JSON.stringify(name)} not found`,
    details: details(subject, name),
  });
}

/** Returns the error for an object that does not exist: 404, or 400 if the name is not valid in a path. */
export function absent(subject: ErrorSubject, name: string): ApiError {
  const errors = pathSegmentErrors(name);
  if (errors.length === 0) return notFound(subject, name);
  return badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${errors.join(';')}`);
}

/** Returns the 409 for a name that another object has. The second argument is the metadata of that object. */
export function alreadyExists(
  subject: ErrorSubject,
  { name, deletionTimestamp }: { readonly name: string; readonly deletionTimestamp?: string },
): ApiError {
  const lead = deletionTimestamp === undefined ? '' : 'object is being deleted: ';
  return failure(409, 'AlreadyExists', {
    message: `${lead}${qualifiedResource(subject)} "${name}" already exists`,
    details: details(subject, name),
  });
}

/** Returns the 409 for a write that conflicts with the state of the object. The message ends with `why`. */
export function conflict(subject: ErrorSubject, name: string, why: string): ApiError {
  return failure(409, 'Conflict', {
    message: `Operation cannot be fulfilled on ${qualifiedResource(subject)} "${name}": ${why}`,
    details: details(subject, name),
  });
}

/** The error text for a write with a resourceVersion that is not the current resourceVersion of the object. */
export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Returns the 422 for an object that breaks the rules of its schema or kind. Each error becomes a cause, up to the limit of `limitErrors`.
 */
export function invalid(subject: ErrorSubject, name: string, errors: readonly FieldError[]): ApiError {
  const kind = subject.group === '' ? subject.kind : `${subject.kind}.${subject.group}`;
  const { listed, more } = limitErrors(errors, errorText);
  const shown = more === undefined ? listed : [...listed, tooManyErrors(more)];
  const texts = [...new Set(shown.map(errorText))];
  const causes: StatusCause[] = shown.map(({ reason, field, message }) => ({ reason, message, field }));
  return failure(422, 'Invalid', {
    message: `${kind} "${name}" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(subject.group === '' ? {} : { group: subject.group }),
      ...(subject.kind === '' ? {} : { kind: subject.kind }),
      causes,
    },
  });
}

function errorText({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

function tooManyErrors(message: string): FieldError {
  return { reason: 'FieldValueTooMany', field: '<nil>', message };
}

/** Returns the 400 for a request that the server cannot process. */
export function badRequest(message: string): ApiError {
  return failure(400, 'BadRequest', { message });
}

/** Returns the 400 for an update whose body does not contain the name of the object. */
export function unnamed(name: string): ApiError {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

/** Returns the 403 for a request that an admission check refuses. */
export function forbidden(
  subject: ErrorSubject,
  name: string,
  refusal: { readonly why: string; readonly causes?: readonly StatusCause[] },
): ApiError {
  const named = details(subject, name);
  return failure(403, 'Forbidden', {
    message: `${qualifiedResource(subject)}${name === '' ? '' : ` "${name}"`} is forbidden: ${refusal.why}`,
    details: refusal.causes === undefined ? named : { ...named, causes: refusal.causes },
  });
}

/** Returns the 500 for an error inside the server, or in a program that the server calls. */
export function internalError(message: string): ApiError {
  return failure(500, 'InternalError', {
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

/** Returns the 405 for a verb that the resource does not support. */
export function methodNotAllowed(subject: ErrorSubject, verb: string): ApiError {
  const { group, plural } = subject;
  return failure(405, 'MethodNotAllowed', {
    message: `${verb} is not supported on resources of kind "${qualifiedResource(subject)}"`,
    details: group === '' ? { kind: plural } : { group, kind: plural },
  });
}

/**
 * Returns the 410 for a resourceVersion or a continue token whose state is not stored any more. With `token`, a client can continue the
 * list from the newest state.
 */
export function expired(message: string, token?: string): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: token === undefined ? {} : { continue: token },
    status: 'Failure',
    message,
    reason: 'Expired',
    code: 410,
  });
}

/** The 504 for a resourceVersion in the future. A caller can wait until the store reaches this version. */
export class UnreachedVersionError extends ApiError {
  readonly version: string;

  constructor(version: string, current: string) {
    super({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `Timeout: Too large resource version: ${version}, current: ${current}`,
      reason: 'Timeout',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
    this.version = version;
  }
}

/** Returns an error with the given HTTP status code. An empty reason is omitted, as in kube-apiserver. */
export function failure(
  code: number,
  reason: string,
  content: { readonly message: string; readonly details?: StatusDetails },
): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: content.message,
    ...(reason === '' ? {} : { reason }),
    ...(content.details === undefined ? {} : { details: content.details }),
    code,
  });
}

function details({ group, plural }: ErrorSubject, name: string): StatusDetails {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural };
}
