import type { KubeObject } from '@kubewright/api';
import { ignoreNotFound } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { KubeApi } from '../deploy/kube-api.js';
import { policiesExcept } from '../deploy/operator-policies.js';
import { manifestsInput } from '../manifests/manifests-input.js';
import { policyManifests } from '../manifests/policies/policy-manifests.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { ProjectSettings } from '../project/project-settings.js';

/** Writes the admission policies of an operator to the local API server of `kubewright dev`, which enforces them. */
export class DevPolicies {
  readonly #api: KubeApi;
  readonly #settings: ProjectSettings;
  #applied: readonly KubeObject[] | undefined;

  constructor(api: KubeApi, settings: ProjectSettings) {
    this.#api = api;
    this.#settings = settings;
  }

  /**
   * Creates, changes or deletes the policies and their bindings, so that the API server enforces exactly the policies of the project. Also
   * deletes the policies of earlier sessions. Returns whether an object changed since the last call.
   * @throws KubewrightError INVALID_POLICY with all errors in the expressions of a policy
   */
  async apply(declared: InspectedProject): Promise<boolean> {
    const settings = this.#settings;
    const desired = policyManifests(manifestsInput(settings, declared));
    if (this.#applied !== undefined && deepEqual(desired, this.#applied)) return false;
    for (const old of await policiesExcept(this.#api, settings, desired)) {
      await ignoreNotFound(this.#api.client.delete(old));
    }
    for (const object of desired) await this.#api.apply(object, { force: true });
    const isChanged = desired.length > 0 || this.#applied !== undefined;
    this.#applied = desired;
    return isChanged;
  }
}
