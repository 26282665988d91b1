import type { Steps } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { AdmissionRequest, Mutation } from '../../registry/admission/admission-check.js';
import type { ApiObject, IncomingObject } from '../../registry/objects/api-object.js';
import { copyJson, objectAt } from '../../registry/objects/json-object.js';
import { MutableObjects } from '../matching/reviewed-objects.js';
import type { ReviewedVersion } from '../matching/reviewed-resource.js';
import { ConfiguredPolicies, type ConfiguredPolicy, policyBuckets } from './configured-policies.js';
import { PolicyBindings } from './policy-bindings.js';
import { mutationDenial } from './policy-denial.js';
import { policyMatch } from './policy-match.js';
import { bindingParams, paramDefinition, PolicyConfigurationError } from './policy-params.js';
import { type PolicyMutator, policyMutator } from './mutator.js';

/** Changes the objects of writes with the stored MutatingAdmissionPolicies. */
export class MutatingPolicies {
  readonly #configured = new ConfiguredPolicies(policyBuckets.mutating, policyMutator);
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** Returns a function that runs one round of the mutations of a write. Its argument `isAgain` is true for the second round. */
  begin(request: AdmissionRequest): Mutation {
    const review = new Review(request, this.#authorizer);
    return (isAgain) => review.run(this.#configured.in(request.registry.store), isAgain);
  }
}

/** One policy with one of its bindings and one of its parameter objects. */
interface Invocation {
  /** Identifies the invocation in both rounds. */
  readonly id: string;
  readonly policy: ApiObject;
  readonly binding: ApiObject;
  readonly param: ApiObject | undefined;
  readonly version: ReviewedVersion;
  readonly mutator: PolicyMutator;
}

/** An error of a policy. */
interface PolicyError {
  readonly message: string;
  readonly reason: string;
}

/** The review of one write. */
class Review {
  readonly #request: AdmissionRequest;
  readonly #authorizer: Authorizer;
  /** The invocations of policies with the reinvocationPolicy `IfNeeded` that run again after a later change. */
  #invoked = new Set<string>();
  readonly #reinvoked = new Set<string>();
  /** The object after the last round. */
  #output: IncomingObject | undefined;
  #errors: PolicyError[] = [];

  constructor(request: AdmissionRequest, authorizer: Authorizer) {
    this.#request = request;
    this.#authorizer = authorizer;
  }

  /**
   * Runs one round. Returns whether a mutation has succeeded, even if the mutation did not change the object. Throws an ApiError if a
   * policy with the failurePolicy `Fail` causes an error.
   */
  *run(policies: readonly ConfiguredPolicy<PolicyMutator>[], isAgain: boolean): Steps<boolean> {
    this.#errors = [];
    const invocations = policies.flatMap((configured) => this.#invocations(configured));
    yield;
    const isMutated = invocations.length > 0 && (yield* this.#invoke(invocations, isAgain));
    if (this.#errors.length > 0) throw mutationDenial(this.#request, this.#errors);
    return isMutated;
  }

  *#invoke(invocations: readonly Invocation[], isAgain: boolean): Steps<boolean> {
    const { object } = this.#request;
    if (isAgain && !deepEqual(this.#output, object)) this.#requireAgain();
    const bindings = new PolicyBindings(this.#request, this.#authorizer);
    const objects = new MutableObjects(this.#request);
    let isMutated = false;
    for (const invocation of invocations) {
      if (yield* this.#mutate(invocation, { isAgain, bindings, objects })) isMutated = true;
      yield;
    }
    // As in kube-apiserver, a mutation that changes nothing also requires a second round.
    if (isMutated) this.#requireAgain();
    yield* objects.writeBack();
    this.#output = object === undefined ? undefined : copyJson(object);
    return isMutated;
  }

  /** Runs the mutations of an invocation in order. Returns whether a mutation succeeded. */
  *#mutate(
    invocation: Invocation,
    {
      isAgain,
      bindings,
      objects,
    }: { readonly isAgain: boolean; readonly bindings: PolicyBindings; readonly objects: MutableObjects },
  ): Steps<boolean> {
    const { id, version, mutator, param } = invocation;
    const verdict = mutator.conditions.match(
      bindings.of(version, yield* objects.in(version.kind), param),
      mutator.failurePolicy,
    );
    if ('error' in verdict) this.#fail(invocation, verdict.error);
    if ('error' in verdict || !verdict.matches || (isAgain && !this.#reinvoked.has(id))) return false;
    const namespaceObject = bindings.namespace;
    let isMutated = false;
    let isChanged = false;
    for (const mutation of mutator.mutations) {
      const current = yield* objects.in(version.kind);
      const { object } = current;
      if (object === undefined) continue;
      const result = mutation(
        { ...bindings.of(version, current, param), object, namespaceObject },
        {
          kind: version.kind,
          ofSubresource: this.#request.kind !== this.#request.definition,
        },
      );
      yield;
      if ('error' in result) {
        this.#fail(invocation, result.error);
        continue;
      }
      isMutated = true;
      if (yield* objects.replace(result.object)) isChanged = true;
    }
    if (isChanged) this.#requireAgain();
    if (mutator.isReinvoked) this.#invoked.add(id);
    return isMutated;
  }

  #requireAgain(): void {
    for (const id of this.#invoked) this.#reinvoked.add(id);
    this.#invoked = new Set();
  }

  #fail({ policy, binding, mutator }: Invocation, why: string): void {
    if (mutator.failurePolicy === 'Ignore') return;
    const message = `policy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${why}`;
    this.#errors.push({ message, reason: 'Invalid' });
  }

  #invocations({ policy, bindings, compiled }: ConfiguredPolicy<PolicyMutator>): readonly Invocation[] {
    const request = this.#request;
    const version = policyMatch(objectAt(policy, 'spec')['matchConstraints'], request);
    if (version === undefined) return [];
    const mutator = compiled();
    return this.#configuring({ policy, binding: undefined, mutator }, () => {
      const definition = paramDefinition(policy, request);
      return bindings.flatMap((binding) => {
        if (policyMatch(objectAt(binding, 'spec')['matchResources'], request) === undefined) return [];
        return this.#configuring({ policy, binding, mutator }, () =>
          bindingParams(binding, definition, request).map((param) => {
            const { namespace = '', name = '' } = param?.metadata ?? {};
            const id = JSON.stringify([policy.metadata.name, binding.metadata.name, namespace, name]);
            return { id, policy, binding, param, version, mutator };
          }),
        );
      });
    });
  }

  /**
   * Returns the result of `run`. If the policy or the binding cannot be used, returns no invocations. With the failurePolicy `Fail`, also
   * records an error.
   */
  #configuring(
    { policy, binding, mutator }: Pick<Invocation, 'policy' | 'mutator'> & { readonly binding: ApiObject | undefined },
    run: () => readonly Invocation[],
  ): readonly Invocation[] {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof PolicyConfigurationError)) throw error;
      if (mutator.failurePolicy === 'Ignore') return [];
      const { name } = policy.metadata;
      const message =
        binding === undefined
          ? `policy ${JSON.stringify(name)} denied request: failed to configure policy: ${error.message}`
          : `policy '${name}' with binding '${binding.metadata.name}' denied request: failed to configure binding: ${error.message}`;
      this.#errors.push({ message, reason: 'Forbidden' });
      return [];
    }
  }
}
