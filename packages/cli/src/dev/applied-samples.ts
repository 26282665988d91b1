import { deepEqual } from '@kubewright/api/patch';
import type { KubeObject } from '@kubewright/api';
import type { Output } from '../command/output.js';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import { placed, type Sample } from './samples.js';

/** Applies the samples of a project to a cluster. Skips samples that have not changed since the last apply. */
export class AppliedSamples {
  readonly #api: KubeApi;
  readonly #output: Output;
  readonly #applied = new Map<string, KubeObject>();

  constructor(api: KubeApi, output: Output) {
    this.#api = api;
    this.#output = output;
  }

  /** The applied samples, with the content of the sample files. */
  get objects(): readonly KubeObject[] {
    return [...this.#applied.values()];
  }

  /**
   * Applies the samples that differ from the last apply. Returns the samples that created or changed an object. Rejects if the API
   * server rejects a request.
   */
  async apply(samples: readonly Sample[]): Promise<readonly KubeObject[]> {
    const changed = new Map<string, KubeObject>();
    for (const { path, object } of samples) {
      const desired = await placed(this.#api, object);
      const key = `${desired.apiVersion} ${describeObject(desired)}`;
      if (deepEqual(this.#applied.get(key), desired)) continue;
      const { outcome } = await this.#api.apply(desired, { force: true });
      this.#applied.set(key, desired);
      if (outcome === 'unchanged') continue;
      changed.set(key, desired);
      this.#output.line(this.#output.styles.dim(`applied ${describeObject(desired)} from ${path}`));
    }
    return [...changed.values()];
  }
}
