import type { JsonObject } from '../../registry/objects/api-object.js';
import { numberAt, objectAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import type { DeleteOptions } from '../../registry/requests/verb-options.js';

/** The deletion options of an Eviction. */
export interface EvictionOptions {
  readonly dryRun: readonly string[];
  readonly preconditions: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
  readonly delete: Omit<DeleteOptions, 'preconditions'>;
}

/** Reads the deleteOptions of an Eviction. */
export function deleteOptionsOf(options: JsonObject): EvictionOptions {
  const preconditions = objectAt(options, 'preconditions');
  const text = (value: string): string | undefined => (value === '' ? undefined : value);
  return {
    dryRun: textsAt(options, 'dryRun'),
    preconditions: {
      uid: text(stringAt(preconditions, 'uid')),
      resourceVersion: text(stringAt(preconditions, 'resourceVersion')),
    },
    delete: {
      gracePeriodSeconds: numberAt(options, 'gracePeriodSeconds'),
      propagationPolicy: text(stringAt(options, 'propagationPolicy')),
      orphanDependents: typeof options['orphanDependents'] === 'boolean' ? options['orphanDependents'] : undefined,
    },
  };
}
