import { type ConditionInit, type Draft, isReady } from '@kubewright/api';
import type { StatefulSet } from '@kubewright/api/apps/v1';
import type { Database, DatabaseStatus } from '../api/v1/database.js';
import { type Version, versions } from '../api/v1/version.js';
import { imageOf } from './children.js';

/**
 * Returns the version that the server must run now. A new database starts with the desired version. An existing database advances one
 * version at a time: the next step starts after `server`, the current StatefulSet, runs with the version of the last step.
 */
export function nextStep({ spec, status }: Database, server: StatefulSet | undefined): Version {
  const begun = status?.step;
  if (begun === undefined) return spec.version;
  return isRolledOut(server, begun) ? (stepsBetween(begun, spec.version)[0] ?? begun) : begun;
}

/** Returns the versions after `from` up to `to`, in upgrade order. */
export function stepsBetween(from: Version, to: Version): readonly Version[] {
  return versions.slice(versions.indexOf(from) + 1, versions.indexOf(to) + 1);
}

/** Reports whether all Pods of the server run with the version. */
export function isRolledOut(server: StatefulSet | undefined, version: Version): boolean {
  return server?.spec.template.spec?.containers[0]?.image === imageOf(version) && isReady(server);
}

/** Returns the condition that reports the progress of an upgrade. */
export function upgrading(desired: Version, { version, step }: Draft<DatabaseStatus>): ConditionInit {
  if (version === undefined || step === undefined) return { type: 'Upgrading', status: false, reason: 'New' };
  if (version === desired) return { type: 'Upgrading', status: false, reason: 'Done' };
  const message = [`${version} to ${step}`, ...stepsBetween(step, desired)].join(', then ');
  return { type: 'Upgrading', status: true, reason: 'Step', message };
}
