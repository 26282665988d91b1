import type { FieldError } from '@kubewright/api/schema';
import { fieldErrors } from '@kubewright/api/schema';
import type { RequestContext } from '../registry/request-context.js';
import { badRequest, failure, invalid } from '../registry/status-errors.js';
import type { ListOptions } from '../registry/verb-options.js';
import { versionOptionFault } from '../registry/version-fault.js';
import type { ApiRequest } from './api-request.js';
import { isTrue, type RequestInfo } from './request-info.js';

/** The query of a watch. */
export interface WatchOptions {
  readonly resourceVersion: string;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/** Throws 422 as a kube-apiserver does for options of `kind` that do not hold. */
export function rejectOptions(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind, plural: '' }, '', errors);
}

/** The context of a write: field manager, dry run and field validation, as the query has them. */
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
  };
}

/** The context of a delete, whose body may say instead of the query whether it is a dry run. */
export function deleteContext(request: ApiRequest, info: RequestInfo, dryRun: readonly string[]): RequestContext {
  checkDryRun(dryRun);
  return { ...contextOf(request, info), dryRun: dryRun.length > 0 };
}

/** Throws 422 for what a deletion cannot be asked to try. */
export function checkDryRun(dryRun: readonly string[]): void {
  rejectOptions('DeleteOptions', dryRunErrors(dryRun));
}

function contextOf(request: ApiRequest, { verb, subresource }: RequestInfo): RequestContext {
  return {
    verb,
    fieldManager: userAgentManager(request),
    ...(subresource === undefined ? {} : { subresource }),
    dryRun: false,
    fieldValidation: 'Warn',
    warnings: request.warnings,
    user: request.user,
  };
}

/** The real server shows all values in place of the wrong one. */
function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [fieldErrors.notSupported('dryRun', values, ['All'])];
}

function managerErrors(manager: string): FieldError[] {
  // The errors of a longer name would repeat the name for each of its characters.
  if (manager.length > 128) return [fieldErrors.tooLong('fieldManager', 128)];
  const errors: FieldError[] = [];
  for (const [at, char] of [...manager].entries()) {
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) continue;
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    errors.push(fieldErrors.invalid('fieldManager', manager, `invalid character U+${code} (at position ${at})`));
  }
  return errors;
}

/** The query of a list, as far as it can be read; the registry checks how its parts go together. */
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

/** The query of a watch. Throws 422 for parts that do not go together. */
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

/** A watch that begins with the state is one with initial events, even where it does not say so. */
function initialEvents(query: URLSearchParams): boolean | undefined {
  const said = query.get('sendInitialEvents');
  if (said !== null) return isTrue(said);
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

/** The version without zeros in front. */
function version(text: string): string {
  return text.replace(/^0+(?=\d)/, '');
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  return value === null ? undefined : parseInteger(value);
}

/** A number of the query. Throws 400 in the words of the server's own program. */
export function parseInteger(text: string): number {
  const shown = JSON.stringify(text);
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${shown}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) === value) return Number(value);
  throw badRequest(`strconv.ParseInt: parsing ${shown}: value out of range`);
}

/** What a request without fieldManager is called in managedFields: the user agent up to its version. */
function userAgentManager({ headers }: ApiRequest): string {
  const [name = ''] = (headers['user-agent'] ?? '').split('/');
  return name.slice(0, 128) || 'unknown';
}

function isFieldValidation(value: string): value is RequestContext['fieldValidation'] {
  return value === 'Ignore' || value === 'Warn' || value === 'Strict';
}
