import type { CompatibilityClass, CompatibilityFinding } from '@kubewright/api/crd-compatibility';
import type { Style, Styles } from '../command/styles.js';

/** The compatibility classes, most severe first. */
const CLASSES: readonly CompatibilityClass[] = ['breaking', 'ratcheted', 'safe'];

/** The options of `reportLines`. */
export interface ReportOptions {
  readonly against: string;
  readonly styles: Styles;
}

/** Formats findings as lines. Groups findings by definition and version, sorts them by severity, and appends a summary. */
export function reportLines(
  findings: readonly CompatibilityFinding[],
  { against, styles }: ReportOptions,
): readonly string[] {
  if (findings.length === 0) return [`no changes since ${against}`];
  const places = [...new Set(findings.map(placeOf))];
  const lines = places.flatMap((place) => {
    const here = findings.filter((finding) => placeOf(finding) === place);
    const sorted = CLASSES.flatMap((each) => here.filter((finding) => finding.class === each));
    return [styles.bold(place), ...sorted.flatMap((finding) => findingLines(finding, styles)), ''];
  });
  return [...lines, `${summary(findings, styles)} since ${against}`];
}

function placeOf({ definition, version }: CompatibilityFinding): string {
  return version === undefined ? definition : `${definition} ${version}`;
}

function findingLines(finding: CompatibilityFinding, styles: Styles): readonly string[] {
  const label = lookOf(finding.class, styles)(finding.class.padEnd(9));
  const what = finding.path === '.' ? finding.change : `${finding.path}: ${finding.change}`;
  const first = `  ${label}  ${what}`;
  if (finding.class === 'safe') return [first];
  const remedy = finding.remedy === undefined ? [] : [styles.dim(`             instead: ${finding.remedy}`)];
  return [first, styles.dim(`             ${finding.reason}`), ...remedy];
}

function lookOf(each: CompatibilityClass, { red, yellow, green }: Styles): Style {
  return { breaking: red, ratcheted: yellow, safe: green }[each];
}

/** Counts the findings by class: `1 breaking, 2 ratcheted, 1 safe`. */
function summary(findings: readonly CompatibilityFinding[], styles: Styles): string {
  const counts = CLASSES.flatMap((each) => {
    const count = findings.filter((finding) => finding.class === each).length;
    return count === 0 ? [] : [lookOf(each, styles)(`${count} ${each}`)];
  });
  return counts.join(', ');
}
