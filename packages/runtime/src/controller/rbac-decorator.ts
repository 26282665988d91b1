import type { KindRef } from '@kubewright/api';
import { type AnyClass, ClassMetadata } from './class-metadata.js';

/** A verb of the Kubernetes API. */
export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | (string & {});

/** What `@Rbac` takes: a kind, resources of API groups, or URLs. */
export type RbacRule =
  | { readonly kind: KindRef; readonly verbs: readonly Verb[]; readonly names?: readonly string[] }
  | {
      readonly groups: readonly string[];
      readonly resources: readonly string[];
      readonly verbs: readonly Verb[];
      readonly names?: readonly string[];
    }
  | { readonly urls: readonly string[]; readonly verbs: readonly Verb[] };

const rules = new ClassMetadata<readonly RbacRule[]>('rbac');

/**
 * Rights that the declarations do not show, such as those of live reads. Repeatable.
 *
 * @example
 * @Controller({ for: Machine })
 * @Rbac({ kind: Node, verbs: ['get'] })
 * class MachineController implements Reconciler<Machine> { … }
 */
export function Rbac(rule: RbacRule): (target: new (...services: never[]) => object) => void {
  return (target) => rules.set(target, [rule, ...(rules.get(target) ?? [])]);
}

/** The rules of a class, in the order in which they are written. */
export function rbacRulesOf(target: AnyClass): readonly RbacRule[] {
  return rules.get(target) ?? [];
}
