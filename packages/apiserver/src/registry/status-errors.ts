import { ApiError, type StatusCause, type StatusDetails } from '@kubewright/api/errors';
import { pathSegmentErrors } from '@kubewright/api/names';
import { type FieldError, limitErrors } from '@kubewright/api/schema';

/** The part of a definition that error texts name. */
export interface ErrorSubject {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

/** `deployments.apps`, or `pods` in the core group. */
function qualifiedResource({ group, plural }: ErrorSubject): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** 404: there is no object of that name. */
export function notFound(subject: ErrorSubject, name: string): ApiError {
  return failure(404, 'NotFound', {
    message: `${qualifiedResource(subject)} ${JSON.stringify(name)} not found`,
    details: details(subject, name),
  });
}

/** What is said where no object of that name is: 400 for a name that no path can have. */
export function absent(subject: ErrorSubject, name: string): ApiError {
  const errors = pathSegmentErrors(name);
  if (errors.length === 0) return notFound(subject, name);
  return badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${errors.join(';')}`);
}

/** 409: the name is taken, by the object of this metadata. */
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

/** 409: the write does not fit the state of the object; `why` follows the colon. */
export function conflict(subject: ErrorSubject, name: string, why: string): ApiError {
  return failure(409, 'Conflict', {
    message: `Operation cannot be fulfilled on ${qualifiedResource(subject)} "${name}": ${why}`,
    details: details(subject, name),
  });
}

/** The reason of a conflict over resourceVersion. */
export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** 422: the object breaks rules of its schema or kind; every error becomes a cause, up to the limit of `limitErrors`. */
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

/** 400: the request cannot be understood. */
export function badRequest(message: string): ApiError {
  return failure(400, 'BadRequest', { message });
}

/** 400: an update without the name that its path has. */
export function unnamed(name: string): ApiError {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

/** 403: an admission rule refuses the request. */
export function forbidden(
  subject: ErrorSubject,
  name: string,
  refusal: { readonly why: string; readonly causes?: readonly StatusCause[] },
): ApiError {
  const named = details(subject, name);
  return failure(403, 'Forbidden', {
    message: `${qualifiedResource(subject)} "${name}" is forbidden: ${refusal.why}`,
    details: refusal.causes === undefined ? named : { ...named, causes: refusal.causes },
  });
}

/** 405: the resource does not have the verb. */
export function methodNotAllowed(subject: ErrorSubject, verb: string): ApiError {
  const { group, plural } = subject;
  return failure(405, 'MethodNotAllowed', {
    message: `${verb} is not supported on resources of kind "${qualifiedResource(subject)}"`,
    details: group === '' ? { kind: plural } : { group, kind: plural },
  });
}

/** 410: the version, or the list that the token continues, is not kept any more. `token` starts an inconsistent rest. */
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

/** 504: the version lies in the future, for which one can wait. */
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

/** Any other failure; '' for one of no known reason, which a real server leaves out. */
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
