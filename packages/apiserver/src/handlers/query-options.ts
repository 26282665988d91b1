import type { FieldError } from '@kubewright/api/schema';
import { fieldErrors } from '@kubewright/api/schema';
import type { RequestContext } from '../registry/requests/request-context.js';
import { badRequest, failure, invalid } from '../registry/requests/status-errors.js';
import type { JsonObject } from '../registry/objects/api-object.js';
import { isObject } from '../registry/objects/json-object.js';
import type { DeleteOptions, ListOptions } from '../registry/requests/verb-options.js';
import { versionOptionFault } from '../registry/requests/version-fault.js';
import type { ApiRequest } from './api-request.js';
import { isTrue, type RequestInfo } from './request-info.js';

/** The query of a watch. */
export interface WatchOptions {
  readonly resourceVersion: string;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/** Throws 422 if there are errors. `kind` is the kind of the options, such as ListOptions. */
export function rejectOptions(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind, plural: '' }, '', errors);
}

/** Returns the context of a write from the query: field manager, dry run and field validation. Throws 422 for invalid values. */
export function writeContext(request: ApiRequest, info: RequestInfo, optionsKind: string): RequestContext {
  const { query } = request;
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') || userAgentManager(request);
  const fieldValidation = query.get('fieldValidation') || 'Warn';
  const errors = [...dryRunErrors(dryRun), ...managerErrors(fieldManager)];
  if (!isFieldValidation(fieldValidation)) {
    errors.push(fieldErrors.notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  rejectOptions(optionsKind, errors);
  return {
    ...contextOf(request, info),
    fieldManager,
    dryRun: dryRun.length > 0,
    fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation : 'Warn',
    options: sentOptions(query),
  };
}

/** Returns the write options in the query. */
function sentOptions(query: URLSearchParams): JsonObject {
  const [dryRun, manager, validation] = [
    query.getAll('dryRun'),
    query.get('fieldManager'),
    query.get('fieldValidation'),
  ];
  return {
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(manager ? { fieldManager: manager } : {}),
    ...(validation ? { fieldValidation: validation } : {}),
  };
}

/**
 * Returns the context of a deletion. The options, including the values of `dryRun`, are from the query or from the body. Throws 422 for
 * invalid values.
 */
export function deleteContext(
  request: ApiRequest,
  info: RequestInfo,
  { options, dryRun }: { readonly options: DeleteOptions; readonly dryRun: readonly string[] },
): RequestContext {
  checkDryRun(dryRun);
  const sent = { ...defined(options), ...(dryRun.length === 0 ? {} : { dryRun }) };
  return { ...contextOf(request, info), dryRun: dryRun.length > 0, options: sent };
}

/** Returns the options without unset fields. */
function defined(options: object): JsonObject {
  const fields = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    if (!isObject(value)) return [[name, value] as const];
    const own = defined(value);
    return Object.keys(own).length === 0 ? [] : [[name, own] as const];
  });
  return Object.fromEntries(fields);
}

/** Throws 422 for invalid dryRun values of a deletion. */
export function checkDryRun(dryRun: readonly string[]): void {
  rejectOptions('DeleteOptions', dryRunErrors(dryRun));
}

/** Returns the context of a request without options. */
export function contextOf(request: ApiRequest, { verb, subresource }: RequestInfo): RequestContext {
  return {
    verb,
    fieldManager: userAgentManager(request),
    ...(subresource === undefined ? {} : { subresource }),
    dryRun: false,
    fieldValidation: 'Warn',
    warnings: request.warnings,
    user: request.user,
    ...(request.deadlineMs === undefined ? {} : { deadlineMs: request.deadlineMs }),
    signal: request.signal,
  };
}

/** Returns the errors of dryRun values. A kube-apiserver shows all values in the error. */
function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [fieldErrors.notSupported('dryRun', values, ['All'])];
}

function managerErrors(manager: string): FieldError[] {
  // A longer name could cause one error for each of its characters, and each error would contain the whole name.
  if (manager.length > 128) return [fieldErrors.tooLong('fieldManager', 128)];
  const errors: FieldError[] = [];
  for (const [at, char] of [...manager].entries()) {
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) continue;
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    errors.push(fieldErrors.invalid('fieldManager', manager, `invalid character U+${code} (at position ${at})`));
  }
  return errors;
}

/** Parses the query of a list. Throws 400 for an invalid number. The registry validates the combination of options. */
export function listOptions({ query }: ApiRequest, info: RequestInfo): ListOptions {
  integer(query, 'timeoutSeconds');
  return {
    namespace: info.namespace,
    labelSelector: query.get('labelSelector') ?? undefined,
    fieldSelector: query.get('fieldSelector') ?? undefined,
    limit: integer(query, 'limit'),
    continue: query.get('continue') || undefined,
    resourceVersion: query.get('resourceVersion') || undefined,
    resourceVersionMatch: query.get('resourceVersionMatch') || undefined,
    sendInitialEvents: query.get('sendInitialEvents') ?? undefined,
  };
}

/**
 * Parses the query of a watch. Throws 400 for an invalid number, 422 for an invalid combination of options, and 500 for an invalid
 * resourceVersion.
 */
export function watchOptions({ query }: ApiRequest): WatchOptions {
  const resourceVersion = query.get('resourceVersion') ?? '';
  const options = {
    resourceVersion: version(resourceVersion),
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: initialEvents(query),
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  };
  integer(query, 'limit');
  rejectOptions('ListOptions', matchErrors(query));
  const fault = resourceVersion === '' ? undefined : versionOptionFault(resourceVersion);
  if (fault !== undefined) throw failure(500, '', { message: fault });
  return options;
}

/**
 * Returns whether the client requests initial events. The default is true for a watch that begins with the current state, and undefined for
 * other watches.
 */
function initialEvents(query: URLSearchParams): boolean | undefined {
  const requested = query.get('sendInitialEvents');
  if (requested !== null) return isTrue(requested);
  return beginsWithState(query) || undefined;
}

function beginsWithState(query: URLSearchParams): boolean {
  const resourceVersion = query.get('resourceVersion') ?? '';
  return (resourceVersion === '' || resourceVersion === '0') && !query.get('resourceVersionMatch');
}

function matchErrors(query: URLSearchParams): readonly FieldError[] {
  const match = query.get('resourceVersionMatch') ?? '';
  const given = query.has('sendInitialEvents');
  const errors: FieldError[] = [];
  const refuse = (why: string): void => {
    errors.push(fieldErrors.forbidden('resourceVersionMatch', why));
  };
  if (given && match !== 'NotOlderThan') {
    refuse('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match !== '' && !given)
    refuse('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  if (match !== '' && match !== 'NotOlderThan') {
    errors.push(fieldErrors.notSupported('resourceVersionMatch', match, ['NotOlderThan']));
  }
  if (query.get('continue') && (match !== '' || (!given && beginsWithState(query)))) {
    refuse('resourceVersionMatch is forbidden when continue is provided');
  }
  return errors;
}

/** Removes leading zeros from a resourceVersion. */
function version(text: string): string {
  return text.replace(/^0+(?=\d)/, '');
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  return value === null ? undefined : parseInteger(value);
}

/** Parses an integer of the query. Throws 400 with Go's error message. */
export function parseInteger(text: string): number {
  const shown = JSON.stringify(text);
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${shown}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) === value) return Number(value);
  throw badRequest(`strconv.ParseInt: parsing ${shown}: value out of range`);
}

/** Returns the default field manager: the user agent up to its first slash, at most 128 characters; 'unknown' if this text is empty. */
function userAgentManager({ headers }: ApiRequest): string {
  const [name = ''] = (headers['user-agent'] ?? '').split('/');
  return name.slice(0, 128) || 'unknown';
}

function isFieldValidation(value: string): value is RequestContext['fieldValidation'] {
  return value === 'Ignore' || value === 'Warn' || value === 'Strict';
}
