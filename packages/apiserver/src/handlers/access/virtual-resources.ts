import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from './access-reviews.js';
import { binding, podBinding } from '../pods/pod-binding.js';
import { podEviction } from '../pods/pod-eviction.js';
import { selfSubjectReview } from './self-subject-review.js';
import { selfSubjectRulesReview } from './self-subject-rules-review.js';
import { tokenRequest } from './token-request.js';
import { tokenReview } from './token-review.js';
import type { VirtualResource } from './virtual-resource.js';

/** All virtual resources, by `group/plural` or `group/plural/subresource`. */
export const virtualResources: ReadonlyMap<string, VirtualResource> = new Map([
  ['authentication.k8s.io/selfsubjectreviews', selfSubjectReview],
  ['authentication.k8s.io/tokenreviews', tokenReview],
  ['authorization.k8s.io/localsubjectaccessreviews', localSubjectAccessReview],
  ['authorization.k8s.io/selfsubjectaccessreviews', selfSubjectAccessReview],
  ['authorization.k8s.io/selfsubjectrulesreviews', selfSubjectRulesReview],
  ['authorization.k8s.io/subjectaccessreviews', subjectAccessReview],
  ['/bindings', binding],
  ['/pods/binding', podBinding],
  ['/pods/eviction', podEviction],
  ['/serviceaccounts/token', tokenRequest],
]);
