import { isAllowed, type ResourcePermission, rulesOf } from '@kubewright/api/rbac';
import type { PolicyRule } from '@kubewright/api/rbac/v1';

/**
 * An RBAC permission that a client call needs: a verb on a resource. Covers all objects of the resource, even if the call is for one
 * object.
 */
export type Access = Pick<ResourcePermission, 'group' | 'resource' | 'verb'>;

/**
 * Records the RBAC permissions that client calls need. Records each permission once. A cached read needs list and watch. A server-side
 * apply needs patch and create.
 *
 * @example
 * const record = new AccessRecord();
 * await reconcileWith(client.with({ record }));
 * assert.deepEqual(record.beyond(role.rules), []); // the role allows every call
 */
export class AccessRecord {
  readonly #used = new Map<string, Access>();

  /** The permissions used so far, sorted by group, resource and verb. */
  get used(): readonly Access[] {
    return [...this.#used.keys()].toSorted().flatMap((key) => this.#used.get(key) ?? []);
  }

  /** Returns the RBAC rules of a role that allows exactly the used permissions. */
  get rules(): readonly PolicyRule[] {
    return rulesOf(this.used);
  }

  /**
   * Returns the used permissions that no rule allows. Ignores `resourceNames`: a rule for single objects counts as a rule for all objects.
   */
  beyond(rules: readonly PolicyRule[] = []): readonly Access[] {
    const onAll = rules.map((rule) => ({ ...rule, resourceNames: [] }));
    return this.used.filter((access) => !isAllowed(onAll, access));
  }

  /** Adds a permission to the used permissions. */
  note(access: Access): void {
    this.#used.set(`${access.group}/${access.resource} ${access.verb}`, access);
  }
}
