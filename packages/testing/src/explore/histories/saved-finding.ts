import type { KindRef } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { Finding } from '../search/finding.js';
import type { Trial } from '../trials/run-trial.js';

/** A trial as plain data. */
export type SavedTrial = Omit<Trial, 'kind'>;

/** A finding as plain data, which can be stored in a file or sent to another process. */
export interface SavedFinding extends Omit<Finding, 'trial' | 'expected'> {
  readonly kind: { readonly apiVersion: string; readonly kind: string };
  readonly trial: SavedTrial;
  readonly expected?: SavedTrial;
}

/** Returns a finding as plain data: replaces the kind by its apiVersion and its name. */
export function savedFinding({ trial, expected, ...finding }: Finding): SavedFinding {
  const { apiVersion, kind } = kindOf(trial.kind);
  return {
    ...finding,
    kind: { apiVersion, kind },
    trial: savedTrial(trial),
    ...(expected !== undefined && { expected: savedTrial(expected) }),
  };
}

/** Returns the finding of plain data. Returns undefined if none of the kinds has the name in the data. */
export function findingOf(saved: SavedFinding, kinds: readonly KindRef[]): Finding | undefined {
  const { kind: name, trial, expected, ...finding } = saved;
  const kind = kinds.find((each) => {
    const { apiVersion, kind: own } = kindOf(each);
    return apiVersion === name.apiVersion && own === name.kind;
  });
  if (kind === undefined) return undefined;
  return { ...finding, trial: { ...trial, kind }, expected: expected && { ...expected, kind } };
}

/** Removes the kind of a trial. */
export function savedTrial(trial: Trial): SavedTrial {
  const { kind: _kind, ...saved } = trial;
  return saved;
}
