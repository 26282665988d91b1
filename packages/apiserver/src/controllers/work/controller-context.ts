import { type RequestContext, systemContext } from '../../registry/requests/request-context.js';

const manager = 'kube-controller-manager';

/**
 * Returns the context for writes of a controller. The user is the service account of the controller, and the field manager is
 * kube-controller-manager.
 */
export function controllerContext(name: string, verb: string, subresource?: string): RequestContext {
  return {
    ...systemContext(name, verb, subresource),
    unreviewed: false,
    fieldManager: manager,
    user: {
      name: `system:serviceaccount:kube-system:${name}`,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    },
  };
}
