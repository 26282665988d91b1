import { withBreak } from '@kubewright/api/apply';
import { InvalidCredentialsError } from '../../authentication/authenticated.js';
import { serverAudiences } from '../../authentication/service-account-tokens.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { stringAt, valueAt } from '../../registry/objects/json-object.js';
import { badRequest } from '../../registry/requests/status-errors.js';
import { userInfoOf } from './user-info.js';
import type { VirtualRequest, VirtualResource } from './virtual-resource.js';

/** TokenReview: returns the user of a token for the specified audiences. The default is the audience of the server. */
export const tokenReview: VirtualResource = {
  path: 'authentication.k8s.io/tokenreviews',
  empty: { spec: {}, status: { user: {} } },
  answer: withBreak((request: VirtualRequest) => {
    const { object } = request;
    const token = stringAt(object, 'spec', 'token');
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const named = valueAt(object, 'spec', 'audiences');
    const audiences = Array.isArray(named) && named.length > 0 ? named.map(String) : serverAudiences;
    return { ...object, status: reviewed(request, token, audiences) };
  }),
};

function reviewed({ serving }: VirtualRequest, token: string, audiences: readonly string[]): JsonObject {
  try {
    const found = serving.authenticator.token(token, audiences);
    return { authenticated: true, user: userInfoOf(found.user), audiences: found.audiences };
  } catch (error) {
    if (!(error instanceof InvalidCredentialsError)) throw error;
    return { user: {}, error: error.message };
  }
}
