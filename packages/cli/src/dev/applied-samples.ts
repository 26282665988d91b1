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

  /** Applies those that differ from what was applied before; resolves with those that the cluster did not have so. Rejects with what it refuses. */
  async apply(samples: readonly Sample[]): Promise<readonly KubeObject[]> {
    const changed = new Map<string, KubeObject>();
    for (const { path, object } of samples) {
      const wanted = await placed(this.#api, object);
      const key = `${wanted.apiVersion} ${describeObject(wanted)}`;
      if (deepEqual(this.#applied.get(key), wanted)) continue;
      const { outcome } = await this.#api.apply(wanted, { force: true });
      this.#applied.set(key, wanted);
      if (outcome === 'unchanged') continue;
      changed.set(key, wanted);
      this.#output.line(this.#output.styles.dim(`applied ${describeObject(wanted)} of ${path}`));
    }
    return [...changed.values()];
  }
}
