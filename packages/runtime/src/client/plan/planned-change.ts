import type { KubeObject } from '@kubewright/api';
import { ApplyConflictError, ApplyError, applyServerSide, trackUpdate } from '@kubewright/api/apply';
import { ApiError, type StatusCause } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  deepEqual,
  PatchError,
} from '@kubewright/api/patch';
import { applyDefaults } from '@kubewright/api/schema';
import { maskedStatus } from '../../transport/answer/masked-status.js';
import type { RequestOptions } from '../../transport/request/request-options.js';
import type { KindFacts } from './kind-facts.js';
import type { RequestTarget } from './request-target.js';
import { withServerDefaults } from './server-defaults.js';

/** A write that a plan evaluates instead of sending it: a PUT, a PATCH, or a POST that creates an object. */
export interface PlannedChange {
  readonly options: RequestOptions;
  readonly target: RequestTarget;
  /** The existing object. Undefined if the object does not exist. */
  readonly current: KubeObject | undefined;
  readonly facts: KindFacts;
  /** The time of the write, in RFC 3339 format. */
  readonly now: string;
}

/** An object that may have a status. */
export type WithStatus = KubeObject & { readonly status?: unknown };

/**
 * Returns the object that the server would store after a write. Merges by the rules of the patch type, adds known defaults, and separates
 * the status if it is a subresource. Does not simulate admission and validation. Throws the ApiError that the server would return for a
 * conflict or an invalid patch.
 */
export function plannedChange(change: PlannedChange): KubeObject {
  const { current, facts, options, target } = change;
  assertMeant(change);
  const changed = merged(change) as WithStatus;
  const isStatus = target.subresource === 'status';
  const body = { ...(isStatus ? onlyStatus(current, changed) : withoutStatus(changed, { current, facts })) };
  const whole = { ...body, metadata: { ...body.metadata, ...kept(current) } } as KubeObject;
  const filled = isStatus ? whole : defaulted(whole, change);
  return options.contentType === APPLY ? filled : (tracked(change, filled) as KubeObject);
}

export const APPLY = 'application/apply-patch+yaml';

/** Returns the field manager in the query of a request. */
export function managerOf({ query }: RequestOptions): string {
  return String(query?.['fieldManager'] ?? '');
}

/** Returns an ApiError with the message that the server would return. */
export function refusal(
  code: number,
  reason: string,
  problem: {
    readonly message: string;
    readonly attempted: string | undefined;
    readonly causes?: readonly StatusCause[];
  },
): ApiError {
  const { message, attempted, causes } = problem;
  const details = causes === undefined ? {} : { details: { causes } };
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code } as const;
  const status = maskedStatus({ ...body, ...details }, { path: '' });
  return new ApiError(status, attempted === undefined ? {} : { attempted });
}

/** Returns the resource and the name of an object for an error message, such as 'deployments.apps "web"'. */
export function resourceText({ group, plural }: RequestTarget, name: string): string {
  return `${group === '' ? plural : `${plural}.${group}`} "${name}"`;
}

/** Throws a conflict if the write contains another uid or resourceVersion than the existing object. */
function assertMeant({ options, target, current }: PlannedChange): void {
  const metadata = isJsonObject(options.body) && isJsonObject(options.body['metadata']) ? options.body['metadata'] : {};
  for (const name of ['uid', 'resourceVersion'] as const) {
    const meant = metadata[name];
    if (meant === undefined || meant === '' || current === undefined || meant === current.metadata[name]) continue;
    const message = `Operation cannot be fulfilled on ${resourceText(target, current.metadata.name)}: the object has been modified; please apply your changes to the latest version and try again`;
    throw refusal(409, 'Conflict', { message, attempted: options.attempted });
  }
}

function merged(change: PlannedChange): object {
  const { options, current, facts } = change;
  const { body, contentType } = options;
  try {
    if (contentType === APPLY) return applied(change);
    if (options.method !== 'PATCH') return body as object;
    if (contentType === 'application/json-patch+json') return applyJsonPatch(current, body) as object;
    if (contentType === 'application/strategic-merge-patch+json')
      return applyStrategicMergePatch(current, body, facts.schema) as object;
    return applyMergePatch(current, body) as object;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw refusal(error.status, error.reason, { message: error.answer, attempted: options.attempted });
  }
}

function applied({ options, current, facts, target, now }: PlannedChange): object {
  const { subresource } = target;
  try {
    return applyServerSide({
      live: current,
      applied: options.body as object,
      schema: facts.schema,
      manager: managerOf(options),
      force: options.query?.['force'] === true,
      ...(subresource !== undefined && { subresource }),
      resetFields: subresource === 'status' ? [['spec']] : facts.hasStatus ? [['status']] : [],
      now,
    }).object;
  } catch (error) {
    const { attempted } = options;
    if (error instanceof ApplyConflictError) {
      throw refusal(409, 'Conflict', { message: error.message, attempted, causes: error.causes });
    }
    if (error instanceof ApplyError) {
      throw refusal(error.status, error.reason, { message: error.message, attempted });
    }
    throw error;
  }
}

function onlyStatus(current: KubeObject | undefined, changed: WithStatus): KubeObject {
  const { managedFields } = changed.metadata as { readonly managedFields?: unknown };
  const { status, ...rest } = { ...(current ?? changed), status: changed.status };
  const metadata = { ...rest.metadata, ...(managedFields !== undefined && { managedFields }) };
  return { ...rest, metadata, ...(status !== undefined && { status }) };
}

function withoutStatus(changed: WithStatus, { current, facts }: Pick<PlannedChange, 'current' | 'facts'>): KubeObject {
  if (!facts.hasStatus) return changed;
  const { status: _, ...rest } = changed;
  const { status } = (current ?? {}) as { readonly status?: unknown };
  return { ...rest, ...(status !== undefined && { status }) };
}

/**
 * Adds defaults. If the schema does not contain all defaults, as for built-in kinds, keeps the defaults that the server set on the existing
 * object.
 */
function defaulted(whole: KubeObject, { current, facts }: PlannedChange): KubeObject {
  if (facts.hasDefaults) return applyDefaults(whole, facts.schema);
  return current === undefined ? whole : (withServerDefaults(whole, current, facts.schema) as KubeObject);
}

/** Returns the metadata fields that a write cannot change. */
function kept(current: KubeObject | undefined): Partial<KubeObject['metadata']> {
  if (current === undefined) return {};
  const { name, namespace, uid, creationTimestamp, deletionTimestamp, resourceVersion } = current.metadata;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    uid,
    creationTimestamp,
    resourceVersion,
  };
}

function tracked({ options, current, facts, target, now }: PlannedChange, after: KubeObject): object {
  const { subresource } = target;
  return trackUpdate({
    before: current,
    after,
    schema: facts.schema,
    manager: managerOf(options),
    ...(subresource !== undefined && { subresource }),
    resetFields: subresource === 'status' ? [['spec']] : facts.hasStatus ? [['status']] : [],
    now,
  });
}

/** Whether two states of an object are equal, ignoring managed fields. */
export function sameButManagers(a: KubeObject | undefined, b: KubeObject): boolean {
  return deepEqual(withoutManagers(a), withoutManagers(b));
}
function withoutManagers(object: KubeObject | undefined): unknown {
  if (object === undefined) return undefined;
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & {
    readonly managedFields?: unknown;
  };
  return { ...object, metadata };
}
