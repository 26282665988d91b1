import type { Right } from '@kubewright/api/rbac';
import type { Manager } from '@kubewright/runtime';
import { rightsOf } from '@kubewright/runtime/rights';
import type { GrantedRoles } from './granted-roles.js';
import type { UsedRight } from './observed-rights.js';
import { listedRights, suffices } from './rights-report.js';

/** A right that was needed, and whether for a request that was made with all rights. */
export interface NotedRight extends UsedRight {
  readonly byAdministrator: boolean;
}

/** A manager of a test environment: what it may do, and what it did. */
export class WatchedManager {
  readonly manager: Manager;
  readonly #roles: GrantedRoles | undefined;
  readonly #namespace: string;
  /** Each right once, however often it was needed. */
  readonly #used = new Map<string, NotedRight>();
  #granted: readonly Right[] | undefined;
  #names: ReadonlySet<string> | undefined;

  /** Without roles it may do everything, and is only watched. */
  constructor(manager: Manager, using: { readonly roles: GrantedRoles | undefined; readonly namespace: string }) {
    this.manager = manager;
    this.#roles = using.roles;
    this.#namespace = using.namespace;
  }

  /** What follows from what it declares at this moment. */
  get declared(): readonly Right[] {
    return listedRights(rightsOf(this.manager.describe()), this.#namespace);
  }
  /** What it may do: what it declared when it started; for one that may do everything, what it declares. */
  get granted(): readonly Right[] {
    return this.#granted ?? this.declared;
  }
  /** Whether it is held to its roles by now, and has a controller of that name. */
  holds(controller: string): boolean {
    return this.#granted !== undefined && this.manager.describe().controllers.some(({ name }) => name === controller);
  }
  /** What it needed. */
  get needed(): readonly Right[] {
    return [...this.#used.values()].map(({ right }) => right);
  }
  /** What it needed and was not given. */
  get missing(): readonly NotedRight[] {
    return [...this.#used.values()].filter((use) => this.#isMissing(use));
  }

  /** Gives it its rights, where it is held to them; does nothing the second time. */
  async grant(): Promise<void> {
    if (this.#roles === undefined || this.#granted !== undefined) return;
    this.#granted = this.declared;
    await this.#roles.grant(rightsOf(this.manager.describe()));
  }
  async revoke(): Promise<void> {
    await this.#roles?.revoke();
  }

  /** Remembers a use; says whether it is one that was not given. */
  note(use: NotedRight): boolean {
    if (use.dispensable && !use.refused && !suffices(this.granted, use.right)) return false;
    const right = this.#withoutName(use.right);
    const { refused, byAdministrator, controller } = use;
    const key = JSON.stringify([refused, byAdministrator, controller, right]);
    if (!this.#used.has(key)) this.#used.set(key, { ...use, right });
    return this.#isMissing({ ...use, right });
  }

  /** The server refuses for other reasons, too: what admission says is not ours to judge. To the administrator it refuses nothing. */
  #isMissing({ refused, byAdministrator, right }: NotedRight): boolean {
    return (refused || byAdministrator) && this.#granted !== undefined && !suffices(this.#granted, right);
  }
  /** Of all the objects in a long test only those matter that some right names, and the roles that are given to others. */
  #withoutName(right: Right): Right {
    if ('url' in right || right.name === undefined || right.verb === 'bind') return right;
    this.#names ??= new Set(this.declared.flatMap((one) => ('group' in one ? (one.name ?? []) : [])));
    if (this.#names.has(right.name)) return right;
    const { name: _name, ...all } = right;
    return all;
  }
}
