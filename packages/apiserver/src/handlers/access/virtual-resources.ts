import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from './access-reviews.js';
import { binding, podBinding } from '../pods/pod-binding.js';
import { podEviction } from '../pods/pod-eviction.js';
import { selfSubjectReview } from './self-subject-review.js';
import { selfSubjectRulesReview } from './self-subject-rules-review.js';
import { tokenRequest } from './token-request.js';
import { tokenReview } from './token-review.js';
import type { VirtualResource } from './virtual-resource.js';

/** All virtual resources by their path. Each resource declares its path, so this list only collects the resources. */
export const virtualResources: ReadonlyMap<string, VirtualResource> = new Map(
  [
    binding,
    localSubjectAccessReview,
    podBinding,
    podEviction,
    selfSubjectAccessReview,
    selfSubjectReview,
    selfSubjectRulesReview,
    subjectAccessReview,
    tokenRequest,
    tokenReview,
  ].map((resource) => [resource.path, resource]),
);
