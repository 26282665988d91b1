import type { RequestContext } from '../../../registry/requests/request-context.js';

/** Returns the context for writes of the kubelet of a node. */
export function kubeletContext(node: string, verb: string, subresource?: string): RequestContext {
  return {
    verb,
    fieldManager: 'kubelet',
    ...(subresource === undefined ? {} : { subresource }),
    dryRun: false,
    fieldValidation: 'Ignore',
    warnings: [],
    user: { name: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] },
  };
}
