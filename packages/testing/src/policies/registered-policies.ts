import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { type Client, type DescribedPolicy, ignoreNotFound, type Logger } from '@kubewright/runtime';
import { policyObjects, policySchemas } from '@kubewright/runtime/internal';
import { PolicyProbe } from './policy-probe.js';

/** The dependencies of `RegisteredPolicies`. */
export interface RegisteredPoliciesUsing {
  /** A client with all permissions. */
  readonly client: Client;
  /** A clock that advances by itself. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** The prefix of the names of the policies, which is unique on the server. */
  readonly name: string;
}

const TIME_LIMIT_MS = 30_000;
const RETRY = '25ms';

/** The policies of a manager in a test environment. The API server enforces the policies while the manager runs. */
export class RegisteredPolicies {
  readonly #using: RegisteredPoliciesUsing;
  #registered: readonly KubeObject[] = [];
  #isPending = false;

  constructor(using: RegisteredPoliciesUsing) {
    this.#using = using;
  }

  /** Whether the registration is incomplete. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /**
   * Creates the policies and their bindings. Resolves when the API server enforces them. Rejects with INVALID_POLICY if an expression is
   * not valid, and with NOT_REGISTERED after 30 s.
   */
  async register(policies: readonly DescribedPolicy[] = []): Promise<void> {
    if (policies.length === 0) return;
    this.#isPending = true;
    try {
      await checkPolicies(policies);
      for (const object of policyObjects(policies, { prefix: `${this.#using.name}-` })) await this.#create(object);
      for (const type of new Set(policies.map((policy) => policy.type))) await this.#untilEnforced(type, policies);
    } finally {
      this.#isPending = false;
    }
  }

  /** Deletes the policies and their bindings. If a deletion fails, logs a warning instead of rejecting. */
  async unregister(): Promise<void> {
    const { client, logger } = this.#using;
    try {
      for (const object of this.#registered.toReversed()) await ignoreNotFound(client.delete(object));
      this.#registered = [];
    } catch (error) {
      logger.warn('cannot remove the registration of policies', { error: messageOf(error) });
    }
  }

  async #create(object: KubeObject): Promise<void> {
    await this.#using.client.create(object);
    this.#registered = [...this.#registered, object];
  }

  /**
   * Waits until the API server enforces a probe of the same type, which is created after the policies. An API server reads policies in the
   * order of their creation, and bindings in the order of their creation.
   */
  async #untilEnforced(type: DescribedPolicy['type'], policies: readonly DescribedPolicy[]): Promise<void> {
    const { client, clock, name } = this.#using;
    const probe = new PolicyProbe(type, name, policies);
    for (const object of probe.objects) await this.#create(object);
    const end = clock.monotonicMs() + TIME_LIMIT_MS;
    while (!(await probe.isEnforced(client))) {
      if (clock.monotonicMs() >= end) {
        throw new KubewrightError(
          'NOT_REGISTERED',
          `the API server does not enforce the policies of a manager after ${TIME_LIMIT_MS / 1000} s`,
        );
      }
      await clock.sleep(RETRY);
    }
  }
}

/**
 * Checks the expressions as `kubewright generate` does. The sample object has no fields, so that the check does not measure the cost of the
 * expressions.
 */
async function checkPolicies(policies: readonly DescribedPolicy[]): Promise<void> {
  const { assertPolicy } = await import('@kubewright/api/cel');
  for (const policy of policies) {
    const sample = { object: { metadata: { name: 'sample' } }, request: {} };
    const check = { schemas: policySchemas(policy), params: policy.params !== undefined, sample };
    assertPolicy(policy.declaredBy, policy, check);
  }
}
