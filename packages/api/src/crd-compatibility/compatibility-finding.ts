/**
 * What a change to a CustomResourceDefinition does to those who use it:
 * - `breaking`: an object or a request that was right before is refused from now on, or loses or changes a value.
 * - `ratcheted`: new objects may be refused, but what is stored goes on: an update that leaves the value at the path as it is
 *   is accepted, by servers of Kubernetes 1.33 or newer.
 * - `safe`: whatever was valid stays valid and reads as it did.
 */
export type CompatibilityClass = 'breaking' | 'ratcheted' | 'safe';

/** One difference between two versions of a definition, and what it means for those who use it. */
export interface CompatibilityFinding {
  /** The name of the definition, such as `machines.cloud.example.com`. */
  readonly definition: string;
  /** The version that it is about; undefined when it is about all of them. */
  readonly version?: string;
  /** A field of the objects (`.spec.disks[*].size`), or of the definition (`scope`, `names.kind`). */
  readonly path: string;
  /** What changed: `maximum 10 → 5`. */
  readonly change: string;
  readonly class: CompatibilityClass;
  /** Why it has its class. */
  readonly reason: string;
  /** What to do instead; not there for what is safe. */
  readonly cure?: string;
}

/** A finding before it is told where it belongs. */
export type LocalFinding = Omit<CompatibilityFinding, 'definition' | 'version'>;

const ORDER: readonly CompatibilityClass[] = ['safe', 'ratcheted', 'breaking'];

/** The worst class among findings; `safe` when there are none. */
export function verdictOf(findings: readonly Pick<CompatibilityFinding, 'class'>[]): CompatibilityClass {
  return ORDER[findings.reduce((worst, finding) => Math.max(worst, ORDER.indexOf(finding.class)), 0)] ?? 'safe';
}

/** A value of a definition as a sentence shows it: JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)) ?? 'none';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
