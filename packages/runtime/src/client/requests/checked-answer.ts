import { isJsonObject } from '@kubewright/api/json';
import { isFailureStatus } from '../../transport/answer/answer.js';
import { type ExpectedObject, mayBeOf, objectAnswerOf, objectFormOf } from '../../transport/answer/object-answer.js';
import { PARTIAL_OBJECT } from '../../transport/answer/partial-metadata.js';
import type { ResourceInfo } from '../../transport/request/resource-path.js';
import type { ApiRequest } from './api-request.js';
import { REVIEW_GROUPS } from './review-groups.js';
import { SUBRESOURCE_BODIES } from './subresource-bodies.js';

/** The kind of the object that OpenShift returns when a client creates a ProjectRequest. */
const PROJECT = 'Project';
const STATUS = { apiVersion: 'v1', kind: 'Status' };
/** The built-in subresources whose body is the parent object. */
const PARTS_OF_OBJECT: ReadonlySet<string> = new Set([
  'status',
  'approval',
  'resize',
  'ephemeralcontainers',
  'finalize',
]);
/** The built-in subresources for which the response to a create is a Status. */
const ANSWERED_WITH_STATUS: ReadonlySet<string> = new Set(['eviction', 'binding']);

/**
 * Returns the response to a request for one object or a subresource of the object. Throws INVALID_RESPONSE if the response is not a valid
 * response for the requested object, so that neither the caller nor the cache receives a malformed object.
 */
export function checkedAnswer(answer: unknown, request: ApiRequest): unknown {
  const { target, at, subresource, method, attempted } = request;
  const expected: ExpectedObject = {
    resource: target.info,
    attempted,
    name: at.name || undefined,
    namespace: at.namespace,
    metadataOnly: request.accept === PARTIAL_OBJECT,
  };
  if (subresource !== undefined) return subresourceAnswer(answer, subresource, expected);
  if (method === 'POST') return createdAnswer(answer, request, expected);
  const isDeleted = method === 'DELETE' && (answer === undefined || isSuccess(answer));
  return isDeleted ? answer : objectAnswerOf(answer, expected);
}

/**
 * Checks and returns the response to a request for a subresource. The body of an unknown subresource may have any kind. If the body has the
 * kind of the parent object, it must be the parent object.
 */
function subresourceAnswer(answer: unknown, subresource: string, expected: ExpectedObject): unknown {
  if (ANSWERED_WITH_STATUS.has(subresource) && isSuccess(answer)) return answer;
  const { resource, attempted } = expected;
  const body = SUBRESOURCE_BODIES[subresource];
  if (body !== undefined) {
    return objectAnswerOf(answer, { ...expected, resource: { ...body, namespaced: resource.namespaced } });
  }
  const object = objectFormOf(answer, attempted, 'the response');
  const { apiVersion, kind } = object;
  const isItself = kind === resource.kind && apiVersion === resource.apiVersion;
  return isItself || PARTS_OF_OBJECT.has(subresource) ? objectAnswerOf(object, expected) : object;
}

function createdAnswer(answer: unknown, { target, body }: ApiRequest, expected: ExpectedObject): unknown {
  const { info } = target;
  if (info.group === '' && info.kind === 'Binding' && isSuccess(answer)) return answer;
  const resource = isProject(answer, info) ? { ...info, kind: PROJECT } : info;
  const { attempted, name, namespace, metadataOnly } = expected;
  const generateName = name === undefined ? prefixIn(body) : undefined;
  // Aggregated API servers can also serve kinds whose objects are not stored and have no name, such as reviews.
  const isUnnamed = name === undefined && generateName === undefined && !target.builtIn;
  const mayLackName = isUnnamed || REVIEW_GROUPS.includes(info.group);
  return objectAnswerOf(answer, { resource, attempted, name, namespace, metadataOnly, generateName, mayLackName });
}

/** Whether a response is the Project that OpenShift returns for a ProjectRequest. */
function isProject(answer: unknown, { group, kind }: ResourceInfo): boolean {
  return (
    kind === 'ProjectRequest' && group === 'project.openshift.io' && isJsonObject(answer) && answer['kind'] === PROJECT
  );
}

function prefixIn(body: unknown): string | undefined {
  const metadata = isJsonObject(body) ? body['metadata'] : undefined;
  const prefix = isJsonObject(metadata) ? metadata['generateName'] : undefined;
  return typeof prefix === 'string' && prefix !== '' ? prefix : undefined;
}

/** Whether a response is a Status that does not report a failure. */
export function isSuccess(answer: unknown): boolean {
  return isJsonObject(answer) && answer['kind'] === STATUS.kind && mayBeOf(answer, STATUS) && !isFailureStatus(answer);
}
