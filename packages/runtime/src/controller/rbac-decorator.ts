import type { KindRef } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass, ClassMetadata } from './class-metadata.js';
import { rbacMistake } from './rbac-mistake.js';

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

/** What `@Rbac` takes: a kind, resources of API groups, or URLs. `*` stands for all verbs, groups or resources. */
export type RbacRule = KindRule | ResourceRule | UrlRule;

/** Verbs on a kind, or on a subresource of it. */
export interface KindRule extends Placed {
  readonly kind: KindRef;
  /** Such as 'eviction' or 'scale'. @default the objects themselves */
  readonly subresource?: string;
  readonly verbs: readonly Verb[];
}
/** Verbs on resources, by their plural names: 'pods', 'pods/eviction'. */
export interface ResourceRule extends Placed {
  /** '' for the core group. */
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly Verb[];
}
/** Verbs on paths that are no resources. */
export interface UrlRule {
  /** Such as '/metrics'; one that ends in `*` stands for all that begin so. */
  readonly urls: readonly string[];
  /** HTTP methods in small letters. */
  readonly verbs: readonly Verb[];
}
/** Which objects a rule is about. */
interface Placed {
  /** Their names; a list or a create has none. @default all */
  readonly names?: readonly string[];
  /** The namespaces they are in; 'own' is that in which the operator runs. @default those of the controller; all where it has none */
  readonly namespaces?: readonly string[] | 'own';
}

const rules = new ClassMetadata<readonly RbacRule[]>('rbac');

/**
 * Rights that the declarations do not show: those of calls in the code, such as the creation of what is no child, or live reads of a kind
 * that is not declared. On a controller, or another part of a manager. Repeatable. Throws INVALID_RBAC.
 *
 * @example
 * @Controller({ for: Machine })
 * @Rbac({ kind: Node, verbs: ['get'] })
 * class MachineController implements Reconciler<Machine> { … }
 */
export function Rbac(rule: RbacRule): (target: new (...services: never[]) => object) => void {
  return (target) => {
    const mistake = rbacMistake(rule);
    if (mistake !== undefined) throw new KubewrightError('INVALID_RBAC', `@Rbac of ${target.name}: ${mistake}`);
    rules.set(target, [rule, ...(rules.get(target) ?? [])]);
  };
}

/** The rules of a class, in the order in which they are written. */
export function rbacRulesOf(target: AnyClass): readonly RbacRule[] {
  return rules.get(target) ?? [];
}
