import { withBreak } from '@kubewright/api/apply';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import { userInfoOf } from './user-info.js';
import type { VirtualRequest, VirtualResource } from './virtual-resource.js';

/** SelfSubjectReview: returns the requesting user. Ignores the content of the sent object. */
export const selfSubjectReview: VirtualResource = {
  path: 'authentication.k8s.io/selfsubjectreviews',
  answer: withBreak(({ serving, user, object: { apiVersion, kind } }: VirtualRequest) => ({
    kind,
    apiVersion,
    metadata: { creationTimestamp: timestamp(serving.clock.now()) },
    status: { userInfo: userInfoOf(user) },
  })),
};
