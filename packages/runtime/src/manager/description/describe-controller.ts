import { rbacRulesOf } from '../../rbac/rbac-decorator.js';
import type { ResolvedControllerOptions } from '../../controller/options/resolved-options.js';
import type { DeclaredWatch } from '../../controller/watches/watch-declaration.js';
import type { AddedController } from '../components/component.js';
import { mayHaveField } from './may-have-field.js';
import type { DescribedNamespaces } from './described-namespaces.js';
import type { ControllerDescription } from '../../rbac/operator-description.js';

/** Returns the description of a controller, for manifests and roles. */
export function describeController(added: AddedController, where: DescribedNamespaces): ControllerDescription {
  const { options, target, reconciler } = added;
  const { name, kind, byKey, watches, reads } = options;
  const namespaces = options.namespaces ?? where.all;
  const described = (watch: DeclaredWatch) => where.of(watch.kind, watch.namespaces ?? options.namespaces);
  return {
    name,
    ...(target !== undefined && { className: target.name }),
    ...(!byKey && { for: where.of(kind, options.namespaces) }),
    owns: watches.flatMap((watch) => (watch.type === 'owned' ? { ...described(watch), verbs: watch.verbs } : [])),
    watches: watches.filter(({ type }) => type !== 'owned').map(described),
    reads: reads.map((read) => where.of(read.kind, options.namespaces)),
    finalizes: !byKey && hasFinalizers(reconciler),
    writesStatus: writesStatus(options),
    rules: [...(target === undefined ? [] : rbacRulesOf(target)), ...options.rbac],
    ...(namespaces !== undefined && { namespaces }),
  };
}

/**
 * Whether a reconciler may use finalizers. Checks the source code of a class, because constructing an instance could have side effects.
 * Returns true if this is not certain, so that the generated role contains the permission.
 */
function hasFinalizers(reconciler: AddedController['reconciler']): boolean {
  if (typeof reconciler !== 'function') {
    return reconciler.finalize !== undefined || [...(reconciler.finalizers ?? [])].length > 0;
  }
  const { prototype } = reconciler as { readonly prototype: object };
  return 'finalize' in prototype || 'finalizers' in prototype || mayHaveField(reconciler, 'finalizers');
}
function writesStatus({ reconcileCondition, observesGeneration }: ResolvedControllerOptions): boolean {
  return reconcileCondition !== undefined || observesGeneration;
}
