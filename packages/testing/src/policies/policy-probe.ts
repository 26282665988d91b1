import type { KindRef, KubeObject } from '@kubewright/api';
import { ConfigMap, Secret, ServiceAccount } from '@kubewright/api/core/v1';
import { ApiError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Client, DescribedPolicy } from '@kubewright/runtime';
import { policyObjects } from '@kubewright/runtime/internal';

const LABEL = 'kubewright.dev/policy-probe';
/** The kinds whose objects a probe can create. A probe uses the first kind that no probed policy matches. */
const KINDS: readonly KindRef[] = [ConfigMap, ServiceAccount, Secret];
/** The status reason with which a validating probe rejects its object. */
const REASON = 'RequestEntityTooLarge';
/**
 * The status reason with which an API server rejects a mutation of a custom kind until the API server has read the OpenAPI schema of the
 * kind.
 */
const SCHEMA_MISSING = 'ServiceUnavailable';

/** A policy that shows whether the API server enforces the policies of the same type that were created earlier. */
export class PolicyProbe {
  /** The policies of the probe with their bindings, in the order in which they must be created. */
  readonly objects: readonly KubeObject[];
  readonly #kind: KindRef;
  /** The kinds whose OpenAPI schemas the API server needs for the probed policies. */
  readonly #customKinds: readonly KindRef[];
  readonly #label: string;

  /** @param policies the probed policies, which must not reject the object of the probe */
  constructor(type: DescribedPolicy['type'], name: string, policies: readonly DescribedPolicy[]) {
    const isProbed = (ref: KindRef): boolean => policies.some(({ kind }) => kindOf(kind).kind === kindOf(ref).kind);
    this.#kind = KINDS.find((kind) => !isProbed(kind)) ?? ConfigMap;
    const applying = policies.filter(({ mutations }) => mutations.some(({ apply }) => apply !== undefined));
    const custom = applying.map(({ kind }) => kind).filter((kind) => !kindOf(kind).builtIn);
    this.#customKinds = type === 'mutating' ? [...new Set(custom)] : [];
    this.#label = `${name}-${type}`;
    const described = [...this.#customKinds, this.#kind].map((kind, index) =>
      descriptionOf(type, kind, { name: `probe-${type}-${index}`, label: this.#label }),
    );
    this.objects = policyObjects(described, { prefix: `${name}-` });
  }

  /** Reports whether the API server enforces the policies. Sends dry runs, so that no objects are created. */
  async isEnforced(client: Client): Promise<boolean> {
    if (!(await this.#isEffective(client))) return false;
    for (const kind of this.#customKinds) {
      if ((await this.#create(client, kind)).reason === SCHEMA_MISSING) return false;
    }
    return true;
  }

  /** Reports whether the API server rejects or changes the object of the probe. */
  async #isEffective(client: Client): Promise<boolean> {
    const { created, reason } = await this.#create(client, this.#kind);
    return created?.metadata.annotations?.[LABEL] !== undefined || reason === REASON;
  }

  async #create(client: Client, ref: KindRef): Promise<{ readonly created?: KubeObject; readonly reason?: string }> {
    const { apiVersion, kind, namespaced } = kindOf(ref);
    const metadata = {
      generateName: 'probe-',
      labels: { [LABEL]: this.#label },
      ...(namespaced !== false && { namespace: 'default' }),
    };
    const object = { apiVersion, kind, metadata } as unknown as KubeObject;
    try {
      return { created: await client.with({ dryRun: true }).create(object) };
    } catch (error) {
      if (error instanceof ApiError) return { reason: error.reason };
      throw error;
    }
  }
}

function descriptionOf(
  type: DescribedPolicy['type'],
  kind: KindRef,
  { name, label }: { readonly name: string; readonly label: string },
): DescribedPolicy {
  const isValidating = type === 'validating';
  const apply = `Object{metadata: Object.metadata{annotations: {'${LABEL}': 'changed'}}}`;
  return {
    type,
    declaredBy: 'the probe of policies',
    name,
    kind,
    operations: ['CREATE'],
    failurePolicy: 'Fail',
    matchPolicy: 'Exact',
    objectSelector: { matchLabels: { [LABEL]: label } },
    matchConditions: [],
    variables: [],
    validations: isValidating ? [{ rule: 'false', message: 'the policies are enforced', reason: REASON }] : [],
    auditAnnotations: [],
    mutations: isValidating ? [] : [{ apply }],
    bindings: [{ actions: isValidating ? ['Deny'] : [] }],
  };
}
