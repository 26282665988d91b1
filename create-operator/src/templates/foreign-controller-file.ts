import { variableOf } from '../scaffold/kind-names.js';
import type { ForeignControllerOptions } from './foreign-controller-options.js';

/** The controller of a kind of others: it tells by an annotation whether an object is ready, where the object asks for it. */
export function foreignControllerFile({ kind, module, domain }: ForeignControllerOptions): string {
  const object = variableOf(kind);
  return `import { isReady } from '@kubewright/api';
import { ${kind} } from '${module}';
import { Client, Controller, matchingLabels, Rbac, type Reconciler, Result } from '@kubewright/runtime';

const WATCH = '${domain}/watch';
const READY = '${domain}/ready';

/** Tells by an annotation whether a ${kind} is ready. The kind belongs to others, so only those with the label are touched. */
@Controller({ for: ${kind}, when: matchingLabels({ [WATCH]: 'true' }) })
@Rbac({ kind: ${kind}, verbs: ['patch'] })
export class ${kind}Controller implements Reconciler<${kind}> {
  constructor(private readonly client: Client) {}

  /** Called when a ${kind} with the label has changed, and when it has lost the label. */
  async reconcile(${object}: ${kind}): Promise<Result> {
    const { labels, annotations } = ${object}.metadata;
    if (labels?.[WATCH] !== 'true') return Result.done();
    await this.client.patch(${object}, (draft) => {
      draft.metadata.annotations = { ...annotations, [READY]: String(isReady(${object})) };
    });
    return Result.done();
  }
}
`;
}
