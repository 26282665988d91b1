import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import type { AdmissionCheck, AdmissionRequest, Charge, Mutation, Mutator, Validator } from './admission-check.js';
import { restoreManagers } from './restore-managers.js';
import type { PreparedUpdate } from './prepared-update.js';

/** The admission plugins of a server. */
export interface AdmissionPlugins {
  /** The checks that run before validation, in order. These checks can change the object. @default none */
  readonly admission?: readonly AdmissionCheck[];
  /** The checks of a subresource with its own kind, such as an Eviction, before validation, in order. @default none */
  readonly subresourceChecks?: readonly AdmissionCheck[];
  /**
   * The reviews that change the object after the checks in `admission`, in order: mutating policies, then mutating webhooks. @default none
   */
  readonly mutators?: readonly Mutator[];
  /** The checks that run after validation, in order. These checks do not change the object. @default none */
  readonly lastChecks?: readonly AdmissionCheck[];
  /** The reviews after the checks in `lastChecks`, in order: validating policies, then validating webhooks. @default none */
  readonly validators?: readonly Validator[];
  /** The functions that count valid writes against quotas, in order. @default none */
  readonly charges?: readonly Charge[];
}

/**
 * Runs the admission plugins of a server in the phases of kube-apiserver:
 * 1. `mutate`: checks that can change the object, then mutating policies, then mutating webhooks. If a policy or a webhook has changed the
 *    object, this phase has a second round.
 * 2. The caller validates the object.
 * 3. `validate`: the last checks, then validating policies, then validating webhooks.
 * 4. `charge`: quotas.
 * 5. The caller runs `checkLast` again in the step that writes.
 */
export class Admission {
  readonly #plugins: Required<AdmissionPlugins>;

  constructor({
    admission = [],
    subresourceChecks = [],
    mutators = [],
    lastChecks = [],
    validators = [],
    charges = [],
  }: AdmissionPlugins) {
    this.#plugins = { admission, subresourceChecks, mutators, lastChecks, validators, charges };
  }

  /**
   * Checks and completes a write before validation, in steps. Returns whether policies or webhooks have changed the object. Policies and
   * webhooks change the object in place. They can replace every value except the object itself and its `metadata` object.
   */
  *mutate(request: AdmissionRequest): Steps<boolean> {
    this.#check(request);
    if (request.context.unreviewed) return false;
    const mutations = this.#plugins.mutators.flatMap((mutator) => mutator(request) ?? []);
    const { object, context } = request;
    const managers = object?.metadata.managedFields;
    if (!(yield* mutated(mutations, false))) return false;
    this.#check(request);
    yield* mutated(mutations, true);
    const warning = object === undefined ? undefined : restoreManagers(object.metadata, managers);
    if (warning !== undefined) context.warnings.push(warning);
    return true;
  }

  /**
   * Runs the last checks for a valid write, then the validating policies and the validating webhooks, in steps. Skips the policies and
   * webhooks if the context is `unreviewed`. Throws the ApiError of the first check, policy or webhook that refuses the write.
   */
  *validate(request: AdmissionRequest): Steps<void> {
    this.checkLast(request);
    yield;
    if (request.context.unreviewed) return;
    for (const validator of this.#plugins.validators) yield* validator(request);
  }

  /** Runs the last checks for a valid write. Throws the ApiError of the first check that refuses the write. */
  checkLast(request: AdmissionRequest): void {
    if (isOfResource(request)) for (const check of this.#plugins.lastChecks) check(request);
  }

  /**
   * Prepares the status updates of the ResourceQuotas that count the write. The caller must write these updates in the same step as the
   * object.
   */
  *charge(request: AdmissionRequest): Steps<readonly PreparedUpdate[]> {
    const updates: PreparedUpdate[] = [];
    for (const charge of this.#plugins.charges) append(updates, yield* charge(request));
    return updates;
  }

  #check(request: AdmissionRequest): void {
    const { admission, subresourceChecks } = this.#plugins;
    for (const check of isOfResource(request) ? admission : subresourceChecks) check(request);
  }
}

/**
 * Whether the kind of the object is the kind of the resource. Most checks do not apply to a subresource with its own kind, such as an
 * Eviction.
 */
function isOfResource({ definition, kind }: AdmissionRequest): boolean {
  return definition === kind;
}

/** Runs one round of mutations. Returns whether a mutation has changed the object. */
function* mutated(mutations: readonly Mutation[], isAgain: boolean): Steps<boolean> {
  let changed = false;
  for (const mutation of mutations) if (yield* mutation(isAgain)) changed = true;
  return changed;
}
