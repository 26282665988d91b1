import type { Finding } from './finding.js';

/** The distinct findings of a search. Findings with the same cause are one finding with several fields. */
export class Findings {
  readonly #bySignature = new Map<string, Finding>();

  /** Adds a finding. If a finding with the same signature is known, adds only the fields of the new finding to it. */
  add(finding: Finding): void {
    const known = this.#bySignature.get(finding.signature);
    const fields = [...new Set([...(known?.fields ?? []), ...finding.fields])];
    this.#bySignature.set(finding.signature, { ...(known ?? finding), fields });
  }

  has({ signature }: Finding): boolean {
    return this.#bySignature.has(signature);
  }

  get all(): readonly Finding[] {
    return [...this.#bySignature.values()];
  }
}
