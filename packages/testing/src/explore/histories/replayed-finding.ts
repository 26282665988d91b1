import type { TraceEntry } from '../../trace/trace-entry.js';
import { Mask } from '../state/mask.js';
import { stateDifferences } from '../state/state-differences.js';
import { ANOTHER_TIME } from '../search/trial-runner.js';
import type { Finding } from '../search/finding.js';
import type { RunTrial, Trial } from '../trials/run-trial.js';
import { checkedHistory } from './checked-history.js';

/**
 * Runs the history of a finding again in a new world. `found` is the finding with the current differences, or undefined if the history does
 * not violate the rule. `trace` contains what happened.
 */
export async function replayedFinding(
  finding: Finding,
  run: RunTrial,
): Promise<{ readonly found: Finding | undefined; readonly trace: readonly TraceEntry[] }> {
  const mask = new Mask();
  if (finding.expected !== undefined) await maskRandom(finding.expected, { run, mask });
  const found = await checkedHistory(finding, { run, mask });
  const { trace } = await run(finding.trial, { trace: true });
  return { found, trace };
}

/** Runs an expected history twice, at different times of the clock. Masks the fields in which the results differ, such as random values. */
export async function maskRandom(
  expected: Trial,
  { run, mask }: { readonly run: RunTrial; readonly mask: Mask },
): Promise<void> {
  const at = expected.steps.length - 1;
  const one = (await run(expected)).observations[at]?.state;
  const other = (await run(expected, { start: ANOTHER_TIME })).observations[at]?.state;
  if (one !== undefined && other !== undefined) mask.add(stateDifferences(one, other));
}
