import { isAllowed, type ResourceRight, rulesOf } from '@kubewright/api/rbac';
import type { PolicyRule } from '@kubewright/api/rbac/v1';

/** A right that a call needs, in the words of RBAC: on a kind of objects, be it that one of them is meant. */
export type Access = Pick<ResourceRight, 'group' | 'resource' | 'verb'>;

/**
 * Which verbs on which resources were used, each once. Cached reads need list and watch, server-side apply patch and create.
 *
 * @example
 * const record = new AccessRecord();
 * await reconcileWith(client.with({ record }));
 * assert.deepEqual(record.beyond(role.rules), []); // the role allows all that was done
 */
export class AccessRecord {
  readonly #used = new Map<string, Access>();

  /** What was used so far, sorted by group, resource and verb. */
  get used(): readonly Access[] {
    return [...this.#used.keys()].toSorted().flatMap((key) => this.#used.get(key) ?? []);
  }

  /** The rules of a role that allows what was used and no more. */
  get rules(): readonly PolicyRule[] {
    return rulesOf(this.used);
  }

  /** What was used and no rule allows. Rules that name objects count as if they named all. */
  beyond(rules: readonly PolicyRule[] = []): readonly Access[] {
    const onAll = rules.map((rule) => ({ ...rule, resourceNames: [] }));
    return this.used.filter((access) => !isAllowed(onAll, access));
  }

  /** Notes a use. */
  note(access: Access): void {
    this.#used.set(`${access.group}/${access.resource} ${access.verb}`, access);
  }
}
