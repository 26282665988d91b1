import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import type { AdmissionCheck, AdmissionRequest, Charge } from './admission-check.js';
import type { PreparedUpdate } from './prepared-update.js';

/** The admission plugins of a server. */
export interface AdmissionPlugins {
  /** The checks that run before validation, in order. @default none */
  readonly admission?: readonly AdmissionCheck[];
  /** The checks that run after validation, in order. These checks do not change the object. @default none */
  readonly lastChecks?: readonly AdmissionCheck[];
  /** The functions that count valid writes, such as quotas, in order. @default none */
  readonly charges?: readonly Charge[];
}

/** Runs the admission plugins of a server. */
export class Admission {
  readonly #plugins: Required<AdmissionPlugins>;

  constructor({ admission = [], lastChecks = [], charges = [] }: AdmissionPlugins) {
    this.#plugins = { admission, lastChecks, charges };
  }

  /** Checks and completes a write before validation. */
  check(request: AdmissionRequest): void {
    for (const check of this.#plugins.admission) check(request);
  }

  /** Checks a valid write. */
  checkLast(request: AdmissionRequest): void {
    for (const check of this.#plugins.lastChecks) check(request);
  }

  /**
   * Runs the last checks on a valid write, and prepares the updates of the objects that count the write. The caller must write these
   * updates together with the written object.
   */
  *charge(request: AdmissionRequest): Steps<readonly PreparedUpdate[]> {
    // If a last check and a quota both refuse a write, the client gets the error of the last check.
    this.checkLast(request);
    yield;
    const updates: PreparedUpdate[] = [];
    for (const charge of this.#plugins.charges) append(updates, yield* charge(request));
    return updates;
  }
}
