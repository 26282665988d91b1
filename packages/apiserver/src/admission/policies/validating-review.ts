import type { Steps } from '@kubewright/api/apply';
import type { AdmissionBindings } from '@kubewright/api/cel';
import { messageOf } from '@kubewright/api/errors';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectAt, textsAt } from '../../registry/objects/json-object.js';
import { validatedObjects, type VersionedObjects } from '../matching/reviewed-objects.js';
import type { ReviewedVersion } from '../matching/reviewed-resource.js';
import { ConfiguredPolicies, type ConfiguredPolicy, policyBuckets } from './configured-policies.js';
import { PolicyBindings } from './policy-bindings.js';
import { policyDenial } from './policy-denial.js';
import { policyMatch } from './policy-match.js';
import { bindingParams, paramDefinition, PolicyConfigurationError } from './policy-params.js';
import { type Denial, PolicyValidator } from './validator.js';

/** Reviews valid writes with the stored ValidatingAdmissionPolicies. */
export class ValidatingPolicies {
  readonly #configured = new ConfiguredPolicies(policyBuckets.validating, (policy) => new PolicyValidator(policy));
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /**
   * Evaluates all matching policies, with at least one step for each policy. Throws an ApiError with the first denial. Adds the violations
   * of bindings with the action `Warn` to the warnings of the request.
   */
  *review(request: AdmissionRequest): Steps<void> {
    const review = new Review(request, this.#authorizer);
    for (const configured of this.#configured.in(request.registry.store)) {
      yield* review.add(configured);
      yield;
    }
    const [first] = review.denials;
    if (first !== undefined) throw policyDenial(request, first);
  }
}

/** A denial by a policy, and the binding that caused the denial. */
interface PolicyDenial extends Denial {
  readonly policy: string;
  readonly binding: string | undefined;
}

/** The review of one request. */
class Review {
  readonly denials: PolicyDenial[] = [];
  readonly #request: AdmissionRequest;
  readonly #bindings: PolicyBindings;
  readonly #known = new Map<ReviewedVersion['kind'], VersionedObjects>();

  constructor(request: AdmissionRequest, authorizer: Authorizer) {
    this.#request = request;
    this.#bindings = new PolicyBindings(request, authorizer);
  }

  *add({ policy, bindings, compiled }: ConfiguredPolicy<PolicyValidator>): Steps<void> {
    const version = policyMatch(objectAt(policy, 'spec')['matchConstraints'], this.#request);
    if (version === undefined) return;
    const validator = compiled();
    const subject = { policy, binding: undefined, validator };
    yield* this.#reporting(subject, this.#addBindings(subject, bindings, version));
  }

  *#addBindings({ policy, validator }: Subject, bindings: readonly ApiObject[], version: ReviewedVersion): Steps<void> {
    const request = this.#request;
    const params = paramDefinition(policy, request);
    for (const binding of bindings) {
      if (policyMatch(objectAt(binding, 'spec')['matchResources'], request) === undefined) continue;
      const objects = yield* this.#objects(version);
      const subject = { policy, binding, validator };
      yield* this.#reporting(subject, this.#addParams(subject, { version, objects, params }));
    }
  }

  *#addParams(subject: Evaluated, { params, version, objects }: Reviewed): Steps<void> {
    for (const param of bindingParams(subject.binding, params, this.#request)) {
      yield;
      this.#evaluate(subject, this.#bindings.of(version, objects, param));
    }
  }

  /** Runs steps. If the policy or the binding cannot be used, denies the request or, with the failurePolicy `Ignore`, does nothing. */
  *#reporting({ policy, binding, validator }: Subject, steps: Steps<void>): Steps<void> {
    try {
      yield* steps;
    } catch (error) {
      if (!(error instanceof PolicyConfigurationError)) throw error;
      if (validator.failurePolicy === 'Ignore') return;
      const what = binding === undefined ? 'policy' : 'binding';
      const message = `failed to configure ${what}: ${error.message}`;
      this.#deny(policy, binding, { message, reason: 'Invalid' });
    }
  }

  #evaluate({ policy, binding, validator }: Evaluated, bindings: AdmissionBindings): void {
    const { namespace } = this.#bindings;
    const { violations, refusals } = validator.evaluate(bindings, namespace);
    const actions = textsAt(binding, 'spec', 'validationActions');
    for (const violation of violations) {
      for (const action of actions) {
        if (action === 'Deny') this.#deny(policy, binding, violation);
        else if (action === 'Warn') this.#warn(policy, binding, violation);
      }
    }
    for (const refusal of refusals) this.#deny(policy, binding, refusal);
  }

  *#objects({ kind }: ReviewedVersion): Steps<VersionedObjects> {
    try {
      const objects = this.#known.get(kind) ?? (yield* validatedObjects(this.#request, kind));
      this.#known.set(kind, objects);
      return objects;
    } catch (error) {
      throw new PolicyConfigurationError(messageOf(error));
    }
  }

  #deny(policy: ApiObject, binding: ApiObject | undefined, denial: Denial): void {
    this.denials.push({ ...denial, policy: policy.metadata.name, binding: binding?.metadata.name });
  }

  #warn(policy: ApiObject, binding: ApiObject, { message }: Denial): void {
    const who = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
    this.#request.context.warnings.push(`Validation failed for ${who}: ${message}`);
  }
}

interface Subject {
  readonly policy: ApiObject;
  readonly binding: ApiObject | undefined;
  readonly validator: PolicyValidator;
}

interface Reviewed {
  readonly version: ReviewedVersion;
  readonly objects: VersionedObjects;
  readonly params: ResourceDefinition | undefined;
}

interface Evaluated extends Subject {
  readonly binding: ApiObject;
}
