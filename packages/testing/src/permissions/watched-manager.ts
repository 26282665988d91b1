import type { Permission } from '@kubewright/api/rbac';
import type { Manager } from '@kubewright/runtime';
import { permissionsOf } from '@kubewright/runtime/permissions';
import type { GrantedRoles } from './granted-roles.js';
import type { UsedPermission } from './observed-permissions.js';
import { listedPermissions, suffices } from './permissions-report.js';

/** A needed permission, and whether the administrator's client sent the request. */
export interface NotedPermission extends UsedPermission {
  readonly byAdministrator: boolean;
}

/** A manager of a test environment, with its granted and needed permissions. */
export class WatchedManager {
  readonly manager: Manager;
  readonly #roles: GrantedRoles | undefined;
  readonly #namespace: string;
  /** The needed permissions by key. Each permission is recorded once, regardless of the number of requests. */
  readonly #used = new Map<string, NotedPermission>();
  #granted: readonly Permission[] | undefined;
  #names: ReadonlySet<string> | undefined;

  /** Observes a manager. A manager without `roles` has all permissions; the WatchedManager then only records the used permissions. */
  constructor(manager: Manager, using: { readonly roles: GrantedRoles | undefined; readonly namespace: string }) {
    this.manager = manager;
    this.#roles = using.roles;
    this.#namespace = using.namespace;
  }

  /** The permissions that are derived from the current declarations. */
  get declared(): readonly Permission[] {
    return listedPermissions(permissionsOf(this.manager.describe()), this.#namespace);
  }
  /**
   * The granted permissions, which are derived from the declarations at the start. For a manager with all permissions, returns the
   * permissions that are derived from the current declarations.
   */
  get granted(): readonly Permission[] {
    return this.#granted ?? this.declared;
  }
  /** Reports whether the roles have been granted and the manager has a controller with this name. */
  holds(controller: string): boolean {
    return this.#granted !== undefined && this.manager.describe().controllers.some(({ name }) => name === controller);
  }
  /** The needed permissions. */
  get needed(): readonly Permission[] {
    return [...this.#used.values()].map(({ permission }) => permission);
  }
  /** The needed permissions that were not granted to a held manager. Empty for a manager with all permissions. */
  get missing(): readonly NotedPermission[] {
    return [...this.#used.values()].filter((use) => this.#isMissing(use));
  }

  /** Grants the permissions of a held manager. Does nothing on the second call. */
  async grant(): Promise<void> {
    if (this.#roles === undefined || this.#granted !== undefined) return;
    this.#granted = this.declared;
    await this.#roles.grant(permissionsOf(this.manager.describe()));
  }
  async revoke(): Promise<void> {
    await this.#roles?.revoke();
  }

  /**
   * Records a use of a permission, and returns whether the permission is missing. Ignores a dispensable permission that was neither refused
   * nor granted.
   */
  note(use: NotedPermission): boolean {
    if (use.dispensable && !use.refused && !suffices(this.granted, use.permission)) return false;
    const permission = this.#withoutName(use.permission);
    const { refused, byAdministrator, controller } = use;
    const key = JSON.stringify([refused, byAdministrator, controller, permission]);
    if (!this.#used.has(key)) this.#used.set(key, { ...use, permission });
    return this.#isMissing({ ...use, permission });
  }

  /**
   * Reports whether a permission is missing. A refused request counts only if the permission was not granted, because a refusal can have
   * other causes, such as admission. The server never refuses requests of the administrator. For these requests, only the granted
   * permissions count.
   */
  #isMissing({ refused, byAdministrator, permission }: NotedPermission): boolean {
    return (refused || byAdministrator) && this.#granted !== undefined && !suffices(this.#granted, permission);
  }
  /** Removes object names that no declaration contains, to limit the record of a long test. Keeps the names of bound roles. */
  #withoutName(permission: Permission): Permission {
    if ('url' in permission || permission.name === undefined || permission.verb === 'bind') return permission;
    this.#names ??= new Set(this.declared.flatMap((one) => ('group' in one ? (one.name ?? []) : [])));
    if (this.#names.has(permission.name)) return permission;
    const { name: _name, ...all } = permission;
    return all;
  }
}
