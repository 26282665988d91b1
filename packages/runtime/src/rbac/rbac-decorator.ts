import type { KindRef } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass, ClassMetadata } from '../metadata/class-metadata.js';
import { rbacProblem } from './rbac-problem.js';

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

/** The argument of `@Rbac`. Selects a kind, resources of API groups, or URLs. `*` selects all verbs, groups or resources. */
export type RbacRule = KindRule | ResourceRule | UrlRule;

/** Permissions for a kind, or for a subresource of the kind. */
export interface KindRule extends Placed {
  readonly kind: KindRef;
  /** The subresource, such as 'eviction' or 'scale'. @default the objects themselves */
  readonly subresource?: string;
  readonly verbs: readonly Verb[];
}
/** Permissions for resources with the given plural names, such as 'pods' or 'pods/eviction'. */
export interface ResourceRule extends Placed {
  /** The API groups of the resources. '' is the core group. */
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly Verb[];
}
/** Permissions for URLs that are not API resources. */
export interface UrlRule {
  /** The URL paths, such as '/metrics'. A path that ends in `*` matches all paths with that prefix. */
  readonly urls: readonly string[];
  /** The HTTP methods in lower case. */
  readonly verbs: readonly Verb[];
}
/** Restricts a rule to object names and namespaces. */
interface Placed {
  /**
   * The names of the objects. RBAC cannot restrict create by name. A rule with names allows list and watch only for requests with the field
   * selector `metadata.name=NAME`. @default all
   */
  readonly names?: readonly string[];
  /**
   * The namespaces of the objects. 'own' is the namespace of the operator. @default the namespaces of the controller; all if it has none
   */
  readonly namespaces?: readonly string[] | 'own';
}

const rules = new ClassMetadata<readonly RbacRule[]>('rbac');

/**
 * Declares RBAC permissions that the other declarations do not imply. Examples are creating objects that are not children, and live reads
 * of undeclared kinds. Applies to controllers and to other runnables of a manager. A class can have several `@Rbac` decorators. Throws
 * INVALID_RBAC.
 *
 * @example
 * @Controller({ for: Machine })
 * @Rbac({ kind: Node, verbs: ['get'] })
 * class MachineController implements Reconciler<Machine> { … }
 */
export function Rbac(rule: RbacRule): (target: new (...services: never[]) => object) => void {
  return (target) => {
    const problem = rbacProblem(rule);
    if (problem !== undefined) throw new KubewrightError('INVALID_RBAC', `invalid @Rbac on ${target.name}: ${problem}`);
    rules.set(target, [rule, ...(rules.get(target) ?? [])]);
  };
}

/** Returns the rules of all `@Rbac` decorators of a class, in source order. */
export function rbacRulesOf(target: AnyClass): readonly RbacRule[] {
  return rules.get(target) ?? [];
}
