import { deepEqual } from '@kubewright/api/patch';
import type { KubeObject } from '@kubewright/api';
import type { Output } from '../command/output.js';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import { placed, type Sample } from './samples.js';

/** The samples of a project in a cluster: each is applied when it is new or was changed in its file. */
export class AppliedSamples {
  readonly #api: KubeApi;
  readonly #output: Output;
  readonly #applied = new Map<string, KubeObject>();

  constructor(api: KubeApi, output: Output) {
    this.#api = api;
    this.#output = output;
  }

  /** What was applied so far, as it was asked for. */
  get objects(): readonly KubeObject[] {
    return [...this.#applied.values()];
  }

  /** Applies those that differ from what was applied before; resolves with whether anything has changed. Rejects with what the cluster refuses. */
  async apply(samples: readonly Sample[]): Promise<boolean> {
    let hasChanged = false;
    for (const { path, object } of samples) {
      const wanted = await placed(this.#api, object);
      const key = `${wanted.apiVersion} ${describeObject(wanted)}`;
      if (deepEqual(this.#applied.get(key), wanted)) continue;
      const { outcome } = await this.#api.apply(wanted, { force: true });
      this.#applied.set(key, wanted);
      if (outcome === 'unchanged') continue;
      hasChanged = true;
      this.#output.line(this.#output.styles.dim(`applied ${describeObject(wanted)} of ${path}`));
    }
    return hasChanged;
  }
}
