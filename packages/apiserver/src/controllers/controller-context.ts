import type { RequestContext } from '../registry/request-context.js';

const manager = 'kube-controller-manager';

/** The context in which a controller of the cluster writes: with its service account, recorded as kube-controller-manager. */
export function controllerContext(name: string, verb: string, subresource?: string): RequestContext {
  return {
    verb,
    fieldManager: manager,
    ...(subresource === undefined ? {} : { subresource }),
    dryRun: false,
    fieldValidation: 'Ignore',
    warnings: [],
    user: {
      name: `system:serviceaccount:kube-system:${name}`,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    },
  };
}
