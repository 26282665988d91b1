import type { KindRef } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { WarningHandler } from '../transport/warnings.js';
import type { AccessRecord } from './access-record.js';
import { type Interceptor, nested } from './client-call.js';
import type { WriteOptions } from './client-options.js';

/** What a client does to every call. An option of a call wins, but for `namespace` and `dryRun`, which nothing undoes. */
export interface ClientSettings extends WriteOptions {
  /**
   * Only this namespace: filled in where a call names none; a call that names another fails with NAMESPACE_REFUSED. Kinds without
   * namespaces are not touched by it. @default every namespace
   */
  readonly namespace?: string;
  /** Where `get`, `find`, `list` and `listOwned` look: kinds under `live` are read from the API server. @default 'cached' */
  readonly reads?: 'cached' | 'live' | { readonly live: readonly KindRef[] };
  /** Ends what is under way, and lets nothing begin, once it is aborted. @default the end of the reconcile that is calling */
  readonly signal?: AbortSignal;
  /** What is done with warnings of the API server. @default as the options of the manager or connection say: each is logged once */
  readonly warnings?: 'ignore' | WarningHandler;
  /** Gets to know which rights the calls need. @default none */
  readonly record?: AccessRecord;
  /** Stands around every call; one that was set before stands outside of it. @default none */
  readonly intercept?: Interceptor;
}

/** Settings with all records and signals that were given one after the other. */
export interface MergedSettings extends Omit<ClientSettings, 'record' | 'signal'> {
  readonly records: readonly AccessRecord[];
  readonly signals: readonly AbortSignal[];
}

export const noSettings: MergedSettings = Object.freeze({ records: [], signals: [] });

/** The settings of a client made from another one. Throws NAMESPACE_REFUSED where they leave its namespace, INVALID_OPTION for what is none. */
export function mergedSettings(
  before: MergedSettings,
  { record, signal, ...settings }: ClientSettings,
): MergedSettings {
  checkSettings(settings);
  if (before.namespace !== undefined && settings.namespace !== undefined && settings.namespace !== before.namespace) {
    throw new KubewrightError(
      'NAMESPACE_REFUSED',
      `make a client of namespace '${settings.namespace}' from one of namespace '${before.namespace}': use the client that is not bound to a namespace`,
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
    throw new KubewrightError('INVALID_OPTION', `make a client with other settings: ${what}`);
  };
  if (namespace === '') refuse("'namespace' is empty; leave it out for every namespace");
  if (fieldManager !== undefined && (fieldManager === '' || fieldManager.length > 128)) {
    refuse(`'fieldManager' has 1 to 128 characters, and '${fieldManager}' has ${fieldManager.length}`);
  }
  if (!validations.includes(fieldValidation)) refuse(`'fieldValidation' is 'Ignore', 'Warn' or 'Strict'`);
}
