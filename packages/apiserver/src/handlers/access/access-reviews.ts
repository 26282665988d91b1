import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors, invalidValueSteps } from '@kubewright/api/schema';
import type { Attributes } from '../../authorization/attributes.js';
import type { IncomingObject, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt, stringAt, valueAt } from '../../registry/objects/json-object.js';
import { invalid } from '../../registry/requests/status-errors.js';
import type { User } from '../../registry/requests/user.js';
import { selectorErrors, unreadSelectors } from './review-selectors.js';
import type { VirtualRequest, VirtualResource } from './virtual-resource.js';

/** SubjectAccessReview: checks whether the specified user is allowed to perform an action. */
export const subjectAccessReview: VirtualResource = {
  path: 'authorization.k8s.io/subjectaccessreviews',
  answer: function* (request) {
    const { object } = request;
    const errors = [...specErrors(object), ...subjectErrors(object), ...attributeErrors(object)];
    yield;
    append(errors, yield* metadataErrors(object, []));
    reject(errors);
    return reviewed(request, namedUser(object));
  },
};

/** LocalSubjectAccessReview: checks whether the specified user is allowed to perform an action in the namespace of the request. */
export const localSubjectAccessReview: VirtualResource = {
  path: 'authorization.k8s.io/localsubjectaccessreviews',
  answer: function* (request) {
    const { object } = request;
    const resource = valueAt(object, 'spec', 'resourceAttributes');
    const path = valueAt(object, 'spec', 'nonResourceAttributes');
    const errors = [...specErrors(object), ...subjectErrors(object), ...attributeErrors(object)];
    yield;
    append(errors, yield* metadataErrors(object, ['namespace']));
    const namespace = stringAt(resource, 'namespace');
    if (isObject(resource) && namespace !== object.metadata.namespace) {
      errors.push(fieldErrors.invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
    }
    if (isObject(path)) {
      errors.push(invalidPath(path, 'disallowed on this kind of request'));
    }
    reject(errors);
    return reviewed(request, namedUser(object));
  },
};

/** SelfSubjectAccessReview: checks whether the requesting user is allowed to perform an action. */
export const selfSubjectAccessReview: VirtualResource = {
  path: 'authorization.k8s.io/selfsubjectaccessreviews',
  answer: function* (request) {
    const { object, user } = request;
    const errors = [...specErrors(object), ...attributeErrors(object)];
    yield;
    append(errors, yield* metadataErrors(object, []));
    reject(errors);
    return reviewed(request, user);
  },
};

function reviewed({ serving, object }: VirtualRequest, user: User): JsonObject {
  const { allowed, reason } = serving.authorizer.decide(requested(object, user));
  const evaluationError = unreadSelectors(objectAt(object, 'spec', 'resourceAttributes'), 'spec.resourceAttributes');
  return {
    ...object,
    status: {
      allowed,
      ...(reason === '' ? {} : { reason }),
      ...(evaluationError === '' ? {} : { evaluationError }),
    },
  };
}

function requested(object: IncomingObject, user: User): Attributes {
  const resource = valueAt(object, 'spec', 'resourceAttributes');
  if (!isObject(resource)) {
    const path = objectAt(object, 'spec', 'nonResourceAttributes');
    return { kind: 'path', user, verb: stringAt(path, 'verb'), path: stringAt(path, 'path') };
  }
  return {
    kind: 'resource',
    user,
    verb: stringAt(resource, 'verb'),
    group: stringAt(resource, 'group'),
    resource: stringAt(resource, 'resource'),
    subresource: stringAt(resource, 'subresource'),
    namespace: stringAt(resource, 'namespace'),
    name: stringAt(resource, 'name'),
  };
}

function namedUser(object: IncomingObject): User {
  const groups = valueAt(object, 'spec', 'groups');
  return {
    name: stringAt(object, 'spec', 'user'),
    groups: Array.isArray(groups) ? groups.map(String) : [],
  };
}

function specErrors(object: IncomingObject): readonly FieldError[] {
  const resource = valueAt(object, 'spec', 'resourceAttributes');
  const path = valueAt(object, 'spec', 'nonResourceAttributes');
  if (isObject(resource)) {
    return isObject(path) ? [invalidPath(path, 'cannot be specified in combination with resourceAttributes')] : [];
  }
  if (isObject(path)) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [fieldErrors.invalid('spec.resourceAttributes', null, why)];
}

function subjectErrors(object: IncomingObject): readonly FieldError[] {
  const { name, groups } = namedUser(object);
  if (name !== '' || groups.length > 0) return [];
  return [fieldErrors.invalid('spec.user', '', 'at least one of user or group must be specified')];
}

function attributeErrors(object: IncomingObject): readonly FieldError[] {
  return selectorErrors(objectAt(object, 'spec', 'resourceAttributes'), 'spec.resourceAttributes');
}

function* metadataErrors({ metadata }: IncomingObject, allowed: readonly string[]): Steps<readonly FieldError[]> {
  const rest = Object.keys(metadata).filter((field) => field !== 'managedFields' && !allowed.includes(field));
  if (rest.length === 0) return [];
  const why = allowed.length === 0 ? 'must be empty' : `must be empty except for ${allowed.join()}`;
  const error = yield* invalidValueSteps('metadata', metadata, why);
  yield;
  return [error];
}

/** Returns the error of a path. The value has the field names of a kube-apiserver's internal type. */
function invalidPath(path: JsonObject, why: string): FieldError {
  const value = { Path: stringAt(path, 'path'), Verb: stringAt(path, 'verb') };
  return fieldErrors.invalid('spec.nonResourceAttributes', value, why);
}

/** Throws 422 if there are errors. A kube-apiserver omits the kind of the review, so the message begins with the dot before the group. */
function reject(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '', plural: '' }, '', errors);
}
