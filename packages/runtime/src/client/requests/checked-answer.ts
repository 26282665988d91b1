import { isJsonObject } from '@kubewright/api/json';
import { isFailureStatus } from '../../transport/answer/answer.js';
import { type ExpectedObject, mayBeOf, objectAnswerOf, objectFormOf } from '../../transport/answer/object-answer.js';
import { PARTIAL_OBJECT } from '../../transport/answer/partial-metadata.js';
import type { ResourceInfo } from '../../transport/request/resource-path.js';
import type { ApiRequest } from './api-request.js';
import { REVIEW_GROUPS } from './review-groups.js';
import { SUBRESOURCE_BODIES } from './subresource-bodies.js';

/** The kind of the object that OpenShift creates for a ProjectRequest. */
const PROJECT = 'Project';
const STATUS = { apiVersion: 'v1', kind: 'Status' };
/** The subresources of Kubernetes whose body is the parent object. */
const PARTS_OF_OBJECT: ReadonlySet<string> = new Set([
  'status',
  'approval',
  'resize',
  'ephemeralcontainers',
  'finalize',
]);
/** The subresources of Kubernetes for which the server answers a create with a Status. */
const ANSWERED_WITH_STATUS: ReadonlySet<string> = new Set(['eviction', 'binding']);

/**
 * Returns the answer to a request about one object or a subresource of the object. Throws INVALID_ANSWER if the answer cannot describe the
 * requested object. Neither the caller nor a cached read then gets a malformed object.
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
 * Returns the answer to a request for a subresource. The body of an unknown subresource may have any kind. If the body has the kind of the
 * requested object, the body must be the requested object.
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
  // An aggregated API server can also serve kinds, such as reviews, whose objects it neither stores nor names.
  const isUnnamed = name === undefined && generateName === undefined && !target.builtIn;
  const mayLackName = isUnnamed || REVIEW_GROUPS.includes(info.group);
  return objectAnswerOf(answer, { resource, attempted, name, namespace, metadataOnly, generateName, mayLackName });
}

/** Whether an answer is the Project that OpenShift creates for a ProjectRequest. */
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

/** Whether an answer is a Status that does not report a failure. */
export function isSuccess(answer: unknown): boolean {
  return isJsonObject(answer) && answer['kind'] === STATUS.kind && mayBeOf(answer, STATUS) && !isFailureStatus(answer);
}
