import type { KubeObject } from '@kubewright/api';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import { restoreConversion } from './replaced-conversion.js';
import { isExpired } from './session-lease.js';
import { leaseNameOf, SESSION_LABEL } from './session-objects.js';

/** A session of `kubewright dev` with webhooks in a cluster. The session may run on another machine, or may have been terminated. */
export interface FoundSession {
  /** The Lease of the session as 'namespace/name'. */
  readonly lease: string;
  /** The user and the machine of the session, such as 'ada@laptop'. Undefined if the Lease does not exist. */
  readonly holder: string | undefined;
  /** Whether the Lease has expired or does not exist. */
  readonly isExpired: boolean;
  /** The webhook configurations of the session. */
  readonly configurations: readonly KubeObject[];
  /** The names of the definitions whose conversion the session has replaced. */
  readonly definitions: readonly string[];
  readonly object: Lease | undefined;
}

/** Returns all sessions with a Lease or with other objects in the cluster. Rejects if a request fails. */
export async function findSessions(api: KubeApi): Promise<readonly FoundSession[]> {
  const { live } = api.client;
  const selection = { labels: SESSION_LABEL };
  // Lists the Leases last, because a session creates its Lease before all other objects.
  const configurations: KubeObject[] = [];
  append(configurations, await live.list(MutatingWebhookConfiguration, selection));
  append(configurations, await live.list(ValidatingWebhookConfiguration, selection));
  const definitions = await live.list(CustomResourceDefinition, selection);
  const leases = await live.list(Lease, selection);
  const nowMs = await api.serverTimeMs();
  const byName = new Map(leases.map((lease) => [`${lease.metadata.namespace}/${lease.metadata.name}`, lease]));
  const names = new Set([
    ...byName.keys(),
    ...[...configurations, ...definitions].flatMap((object) => leaseNameOf(object) ?? []),
  ]);
  return [...names].map((name) => {
    const object = byName.get(name);
    const isOf = (each: KubeObject): boolean => leaseNameOf(each) === name;
    return {
      lease: name,
      holder: object?.spec?.holderIdentity,
      isExpired: object === undefined || isExpired(object, nowMs),
      configurations: configurations.filter(isOf),
      definitions: definitions.filter(isOf).map(({ metadata }) => metadata.name),
      object,
    };
  });
}

/**
 * Removes the webhooks of a session, restores the conversions that it has replaced, and deletes its Lease. Returns one line for each
 * change. In a dry run, changes nothing. If the session has renewed its Lease in the meantime, changes nothing and returns undefined.
 */
export async function removeSession(
  api: KubeApi,
  session: FoundSession,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<readonly string[] | undefined> {
  const { configurations, definitions, lease, object } = session;
  const names = configurations.map(describeObject);
  if (dryRun) {
    const conversions = definitions.map((name) => `would restore the conversion of ${name}`);
    return [...names.map((name) => `would delete ${name}`), ...conversions];
  }
  // Deletes the Lease first, because this deletion fails if the session has renewed the Lease.
  if (object !== undefined && !(await isDeleted(api, object))) return undefined;
  for (const configuration of configurations) await api.client.delete(configuration);
  const changes = names.map((name) => `deleted ${name}`);
  for (const name of definitions) {
    const result = await restoreConversion(api, name, lease);
    if (result !== 'absent') append(changes, [restoredLine(name, result)]);
  }
  return changes;
}

/** Describes the result of `restoreConversion`. */
export function restoredLine(definition: string, result: 'restored' | 'kept'): string {
  return result === 'restored'
    ? `restored the conversion of ${definition}`
    : `kept the conversion of ${definition}, which another client has changed`;
}

async function isDeleted(api: KubeApi, lease: Lease): Promise<boolean> {
  try {
    await api.client.delete(lease, { sameVersion: true, mustExist: true });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    // Another command has deleted the Lease. Two commands can remove the objects of a session at the same time.
    if (isNotFound(error)) return true;
    throw error;
  }
}
