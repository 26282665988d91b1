import type { KubeObject } from '@kubewright/api';
import type { SubjectAccessReview } from '@kubewright/api/authorization/v1';
import type { Clock } from '@kubewright/api/clock';
import { isForbidden, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { type OperatorPermissions, type Permission, permissionText, rolesOf } from '@kubewright/api/rbac';
import type { Client, Impersonation } from '@kubewright/runtime';
import type { Transport } from '@kubewright/runtime/internal';
import { listedPermissions } from './permissions-report.js';

/** The interval at which the server is polled for the roles. */
const POLL_MS = 10;
/** The time limit of the polling. */
const TIME_LIMIT_MS = 30_000;

/** The options of `GrantedRoles`. */
export interface GrantedRolesOptions {
  /** The name of the ServiceAccount, which is the prefix of the role names. */
  readonly name: string;
  /** The namespace of the operator. */
  readonly namespace: string;
  /** A client with all permissions. */
  readonly client: Client;
  /** The transport of the same connection. */
  readonly transport: Transport;
  readonly clock: Clock;
  /**
   * Whether the server enforces a new role only after a delay. For example, kube-apiserver enforces a role only after its authorizer has
   * received the role through a watch.
   */
  readonly learnsLater: boolean;
}

/** A ServiceAccount with only the roles that are derived from the declarations of an operator. */
export class GrantedRoles {
  readonly #options: GrantedRolesOptions;
  readonly #made: KubeObject[] = [];
  /** The roles of the last successful `grant`. Empty after `revoke`. */
  #granted: readonly KubeObject[] = [];

  constructor(options: GrantedRolesOptions) {
    this.#options = options;
  }

  /** The user that the requests of the operator impersonate. */
  get user(): Required<Pick<Impersonation, 'user' | 'groups'>> {
    const { name, namespace } = this.#options;
    return {
      user: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    };
  }

  /**
   * Creates the roles. Resolves when the server enforces the roles. Replaces the roles of an earlier call, and does nothing if they are the
   * same. Retries after temporary errors, such as injected faults. Rejects with NAMESPACE_MISSING if the namespace of a role does not
   * exist, with the error of the server if it forbids the creation, and with NOT_GRANTED after 30 s.
   */
  async grant(permissions: OperatorPermissions): Promise<void> {
    const { name, namespace, learnsLater } = this.#options;
    const names = { prefix: `${name}-`, namespace, serviceAccount: name };
    const roles = rolesOf(permissions, names);
    if (deepEqual(roles, this.#granted)) return;
    await this.revoke();
    for (const role of roles) await this.#make(role);
    this.#granted = roles;
    if (!learnsLater) return;
    await Promise.all(
      listedPermissions(permissions, namespace).map((permission) =>
        this.#until(() => this.#isAllowed(permission), `${this.user.user} cannot ${permissionText(permission)} yet`),
      ),
    );
  }

  /** Deletes the roles and bindings that `grant` created. */
  async revoke(): Promise<void> {
    this.#granted = [];
    for (const role of this.#made.splice(0).toReversed()) await this.#options.client.delete(role);
  }

  async #make(role: KubeObject): Promise<void> {
    const { client } = this.#options;
    await this.#until(async () => {
      try {
        this.#made.push(await client.apply(role));
        return true;
      } catch (error) {
        if (isNotFound(error)) throw namespaceMissing(role.metadata.namespace, error);
        throw error;
      }
    }, `the ${role.kind} ${role.metadata.name} was not created`);
  }

  /** Polls until the condition is true. Retries after all errors except Forbidden and NAMESPACE_MISSING. */
  async #until(isSo: () => Promise<boolean>, what: string): Promise<void> {
    const { clock } = this.#options;
    const end = clock.monotonicMs() + TIME_LIMIT_MS;
    for (;;) {
      let cause: unknown;
      try {
        if (await isSo()) return;
      } catch (error) {
        if (isForbidden(error) || (error instanceof KubewrightError && error.code === 'NAMESPACE_MISSING')) throw error;
        cause = error;
      }
      if (clock.monotonicMs() > end) throw notGranted(what, cause);
      await clock.sleep(`${POLL_MS}ms`);
    }
  }
  async #isAllowed(permission: Permission): Promise<boolean> {
    const { status } = await this.#options.transport.request<SubjectAccessReview>({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { ...this.user, ...attributesOf(permission) },
      },
      attempted: `check the permissions of ${this.user.user}`,
    });
    return status?.allowed === true;
  }
}

function namespaceMissing(namespace: string | undefined, cause: unknown): KubewrightError {
  return new KubewrightError(
    'NAMESPACE_MISSING',
    `cannot create the Role of the operator: namespace '${namespace}' does not exist; create the namespace before the operator runs`,
    { cause },
  );
}
function notGranted(what: string, cause: unknown): KubewrightError {
  const message = `cannot grant the operator its roles: after ${TIME_LIMIT_MS / 1000} s, ${what}`;
  return new KubewrightError('NOT_GRANTED', message, { cause });
}
function attributesOf(permission: Permission): object {
  if ('url' in permission) return { nonResourceAttributes: { path: permission.url, verb: permission.verb } };
  const { resource: whole, ...others } = permission;
  const [resource, subresource] = whole.split('/');
  return { resourceAttributes: { ...others, resource, ...(subresource !== undefined && { subresource }) } };
}
