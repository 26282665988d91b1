import type { JsonObject } from '../../registry/objects/api-object.js';
import * as baseline from './baseline-checks.js';
import { type CheckedPod, checkedPod, type Violation } from './checked-pod.js';
import * as restricted from './restricted-checks.js';
import type { LevelVersion } from './security-policy.js';

/** The newest version in which a check has changed. Newer versions have the same checks. */
const newest = 35;

interface SecurityCheck {
  /** Whether only the level `restricted` includes the check. @default both levels */
  readonly onlyRestricted?: true;
  /** The minor version from which the level includes the check. @default all versions */
  readonly since?: number;
  /** The minor version from which a stricter check replaces the check in the level `restricted`. @default no version */
  readonly replacedSince?: number;
  readonly find: (pod: CheckedPod) => Violation | undefined;
}

/** The checks, in the order in which messages list their violations. */
const checks: readonly SecurityCheck[] = [
  { find: baseline.appArmorProfile },
  { find: baseline.addedCapabilities, replacedSince: 22 },
  { find: baseline.hostNamespaces },
  { find: baseline.hostPathVolumes, replacedSince: 0 },
  { find: baseline.hostPorts },
  { find: baseline.probeHosts, since: 34 },
  { find: baseline.privileged },
  { find: baseline.procMountOfHostUsers, replacedSince: 35 },
  { find: baseline.seLinuxOptions },
  { find: baseline.seccompProfile, replacedSince: 19 },
  { find: baseline.unsafeSysctls },
  { find: baseline.windowsHostProcess },
  { find: restricted.privilegeEscalation, onlyRestricted: true, since: 8 },
  { find: restricted.restrictedCapabilities, onlyRestricted: true, since: 22 },
  { find: baseline.procMount, onlyRestricted: true, since: 35 },
  { find: restricted.restrictedVolumes, onlyRestricted: true },
  { find: restricted.runAsNonRoot, onlyRestricted: true },
  { find: restricted.runAsUser, onlyRestricted: true, since: 23 },
  { find: restricted.requiredSeccompProfile, onlyRestricted: true, since: 19 },
];

/** Returns the violations of a level in a Pod or a Pod template. */
export function violationsOf(pod: JsonObject, { level, version }: LevelVersion): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? newest : Math.min(Number(version.slice('v1.'.length)), newest);
  const checked = checkedPod(pod, minor);
  return checks.flatMap(({ find, since = 0, onlyRestricted = false, replacedSince = Number.POSITIVE_INFINITY }) => {
    if (minor < since) return [];
    if (level === 'baseline' ? onlyRestricted : minor >= replacedSince) return [];
    return find(checked) ?? [];
  });
}

/** Returns the violations of one object as in messages. */
export function violationsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
