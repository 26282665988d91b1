/**
 * The effect of a change of a CustomResourceDefinition on its users:
 * - `breaking`: an object or a request that was valid is rejected, or loses or changes a value.
 * - `ratcheted`: new objects can be rejected, but stored objects stay usable: the API server accepts an update that does not change the
 *   value at the path. Requires Kubernetes 1.33 or later.
 * - `safe`: all valid objects and requests stay valid, and values are read as before.
 */
export type CompatibilityClass = 'breaking' | 'ratcheted' | 'safe';

/** One difference between two versions of a definition, and its effect on users. */
export interface CompatibilityFinding {
  /** The name of the definition, such as `machines.cloud.example.com`. */
  readonly definition: string;
  /** The affected version. Undefined if the finding concerns all versions. */
  readonly version?: string;
  /** A field of the objects (`.spec.disks[*].size`), or of the definition (`scope`, `names.kind`). */
  readonly path: string;
  /** The change: `maximum 10 → 5`. */
  readonly change: string;
  readonly class: CompatibilityClass;
  /** The reason for the class. */
  readonly reason: string;
  /** The recommended alternative to the change. Absent for safe changes. */
  readonly remedy?: string;
}

/** A finding without its definition and version. */
export type LocalFinding = Omit<CompatibilityFinding, 'definition' | 'version'>;

const ORDER: readonly CompatibilityClass[] = ['safe', 'ratcheted', 'breaking'];

/** Returns the most severe class of the findings, or `safe` if there are no findings. */
export function verdictOf(findings: readonly Pick<CompatibilityFinding, 'class'>[]): CompatibilityClass {
  return ORDER[findings.reduce((worst, finding) => Math.max(worst, ORDER.indexOf(finding.class)), 0)] ?? 'safe';
}

/** Formats a value of a definition for a message, as JSON of at most 60 characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)) ?? 'none';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
