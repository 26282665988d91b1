import type { PolicyRule } from '@kubewright/api/rbac/v1';

/** A right that a call needs, in the words of RBAC. */
export interface Access {
  /** Empty for the core group. */
  readonly group: string;
  /** 'deployments', or 'deployments/scale'. */
  readonly resource: string;
  readonly verb: string;
}

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

  /** The rules of a role that allows what was used and no more: one a resource. */
  get rules(): readonly PolicyRule[] {
    const verbs = new Map<string, { readonly access: Access; readonly verbs: string[] }>();
    for (const access of this.used) {
      const key = `${access.group}/${access.resource}`;
      const rule = verbs.get(key) ?? { access, verbs: [] };
      rule.verbs.push(access.verb);
      verbs.set(key, rule);
    }
    return [...verbs.values()].map(({ access, verbs: of }) => ({
      apiGroups: [access.group],
      resources: [access.resource],
      verbs: of,
    }));
  }

  /** What was used and no rule allows. Rules that name objects count as if they named all. */
  beyond(rules: readonly PolicyRule[] = []): readonly Access[] {
    return this.used.filter((access) => !rules.some((rule) => allows(rule, access)));
  }

  /** Notes a use. */
  note(access: Access): void {
    this.#used.set(`${access.group}/${access.resource} ${access.verb}`, access);
  }
}

function allows({ apiGroups = [], resources = [], verbs }: PolicyRule, { group, resource, verb }: Access): boolean {
  const subresource = resource.split('/')[1];
  const meant = ['*', resource, ...(subresource === undefined ? [] : [`*/${subresource}`])];
  return (
    (apiGroups.includes('*') || apiGroups.includes(group)) &&
    resources.some((name) => meant.includes(name)) &&
    (verbs.includes('*') || verbs.includes(verb))
  );
}
