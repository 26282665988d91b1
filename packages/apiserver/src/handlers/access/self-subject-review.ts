import { timestamp } from '../../registry/metadata-rules.js';
import { shownUser } from './shown-user.js';
import type { VirtualResource } from './virtual-resource.js';

/** SelfSubjectReview: who the one who asks is. Nothing of what was sent matters. */
export const selfSubjectReview: VirtualResource = {
  answer: ({ serving, user, object: { apiVersion, kind } }) => ({
    kind,
    apiVersion,
    metadata: { creationTimestamp: timestamp(serving.clock.now()) },
    status: { userInfo: shownUser(user) },
  }),
};
