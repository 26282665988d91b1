import type { KindRef } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { WarningHandler } from '../../transport/request/warnings.js';
import type { AccessRecord } from '../../rbac/access-record.js';
import { type Interceptor, nested } from './client-call.js';
import type { WriteOptions } from './client-options.js';

/** The settings of a client for all its calls. Options of a call take precedence, except for `namespace` and `dryRun`. */
export interface ClientSettings extends WriteOptions {
  /**
   * The namespace of all calls. Calls without a namespace use this namespace. Calls for another namespace fail with NAMESPACE_MISMATCH.
   * Does not affect cluster-scoped kinds. @default every namespace
   */
  readonly namespace?: string;
  /**
   * Where `get`, `find`, `list` and `listOwned` read from. `{ live: […] }` reads only the listed kinds from the API server. @default
   * 'cached'
   */
  readonly reads?: 'cached' | 'live' | { readonly live: readonly KindRef[] };
  /**
   * Aborts running calls and rejects later calls. The calls of a reconcile are also aborted when the reconcile ends, even if this signal is
   * not aborted. @default none
   */
  readonly signal?: AbortSignal;
  /** How the client handles warnings of the API server. @default the setting of the manager or connection: each warning is logged once */
  readonly warnings?: 'ignore' | WarningHandler;
  /** Records the RBAC permissions that the calls need. @default none */
  readonly record?: AccessRecord;
  /** Wraps every call. Interceptors from earlier `with` calls run first and wrap this interceptor. @default none */
  readonly intercept?: Interceptor;
}

/**
 * The combined settings of a client and of the clients from which it was created. Records and signals are in the order in which they were
 * added.
 */
export interface MergedSettings extends Omit<ClientSettings, 'record' | 'signal'> {
  readonly records: readonly AccessRecord[];
  readonly signals: readonly AbortSignal[];
}

export const noSettings: MergedSettings = Object.freeze({ records: [], signals: [] });

/**
 * Combines the settings of a client with the settings that are passed to `with`. Throws NAMESPACE_MISMATCH if both name different
 * namespaces, and INVALID_OPTION for invalid values.
 */
export function mergedSettings(
  before: MergedSettings,
  { record, signal, ...settings }: ClientSettings,
): MergedSettings {
  checkSettings(settings);
  if (before.namespace !== undefined && settings.namespace !== undefined && settings.namespace !== before.namespace) {
    throw new KubewrightError(
      'NAMESPACE_MISMATCH',
      `cannot create a client for namespace '${settings.namespace}' from a client for namespace '${before.namespace}': use a client that is not restricted to a namespace`,
    );
  }
  const intercept = nested(before.intercept, settings.intercept);
  return {
    ...before,
    ...settings,
    ...(before.dryRun && { dryRun: true }),
    ...(intercept && { intercept }),
    records: record === undefined ? before.records : [...before.records, record],
    signals: signal === undefined ? before.signals : [...before.signals, signal],
  };
}

const validations: readonly unknown[] = [undefined, 'Ignore', 'Warn', 'Strict'];

function checkSettings({ namespace, fieldManager, fieldValidation }: ClientSettings): void {
  const refuse = (what: string): never => {
    throw new KubewrightError('INVALID_OPTION', `cannot create a client with these settings: ${what}`);
  };
  if (namespace === '') refuse("'namespace' is empty; omit it for all namespaces");
  if (fieldManager !== undefined && (fieldManager === '' || fieldManager.length > 128)) {
    refuse(`'fieldManager' must have 1 to 128 characters, but '${fieldManager}' has ${fieldManager.length}`);
  }
  if (!validations.includes(fieldValidation)) refuse(`'fieldValidation' must be 'Ignore', 'Warn' or 'Strict'`);
}
