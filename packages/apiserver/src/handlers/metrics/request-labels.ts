import type { ApiRequest } from '../api-request.js';
import { contentType } from '../request-body.js';
import { firstSegment, isConnection, type RequestInfo } from '../request-info.js';

/** The labels of a request in metrics. */
export interface RequestLabels {
  readonly verb: string;
  readonly dryRun: string;
  /** The group, version, resource, subresource, scope and component. */
  readonly resource: readonly [string, string, string, string, string, string];
}

const methods: ReadonlySet<string> = new Set(['DELETE', 'GET', 'LIST', 'PATCH', 'POST', 'PUT']);

/** Returns the labels with which kube-apiserver counts a request. `info` is undefined for a path without a resource. */
export function requestLabels(request: ApiRequest, info: RequestInfo | undefined): RequestLabels {
  const { method, path, query } = request;
  if (info === undefined) {
    return { verb: verbOf(method), dryRun: '', resource: ['', '', '', path, '', ''] };
  }
  const { group, version, resource, subresource = '' } = info;
  const scope = scopeOf(info);
  return {
    verb: resourceVerb(request, info, scope),
    dryRun: dryRunOf(query.getAll('dryRun')),
    resource: [group, version, resource, firstSegment(subresource), scope, 'apiserver'],
  };
}

function resourceVerb(request: ApiRequest, info: RequestInfo, scope: string): string {
  if (isConnection(info)) return 'CONNECT';
  if (info.verb === 'watch') return 'WATCH';
  if (request.method === 'PATCH' && contentType(request) === 'application/apply-patch+yaml') return 'APPLY';
  return verbOf(
    (request.method === 'GET' || request.method === 'HEAD') && scope !== 'resource' ? 'LIST' : request.method,
  );
}

function verbOf(method: string): string {
  if (method === 'HEAD') return 'GET';
  return methods.has(method) ? method : 'other';
}

function scopeOf({ name, namespace, verb }: RequestInfo): string {
  if (name !== undefined || verb === 'create') return 'resource';
  return namespace === undefined ? 'cluster' : 'namespace';
}

function dryRunOf(values: readonly string[]): string {
  if (values.some((value) => value !== 'All')) return 'invalid';
  return values.length === 0 ? '' : 'All';
}
