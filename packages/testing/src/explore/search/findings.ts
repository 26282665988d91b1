import type { Finding } from './finding.js';

/** The distinct findings of a search. Findings with the same cause are one finding with several fields. */
export class Findings {
  readonly #bySignature = new Map<string, Finding>();

  /** Adds a finding. Returns whether its cause is new. */
  add(finding: Finding): boolean {
    const known = this.#bySignature.get(finding.signature);
    const fields = [...new Set([...(known?.fields ?? []), ...finding.fields])];
    this.#bySignature.set(finding.signature, { ...(known ?? finding), fields });
    return known === undefined;
  }

  has({ signature }: Finding): boolean {
    return this.#bySignature.has(signature);
  }

  get all(): readonly Finding[] {
    return [...this.#bySignature.values()];
  }
}
