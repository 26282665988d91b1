import { KubewrightError } from '@kubewright/api/errors';
import { exploreKinds } from './explore-kinds.js';
import type { Exploration, ExploreOptions } from './explore-options.js';
import { reportFinding } from './report/report-findings.js';

/**
 * Searches for histories in which an operator violates a rule that every operator satisfies: it converges, a restart writes nothing, the
 * result depends only on the current declaration, a crash after any write has no effect, and so on (see `Oracle`). The search needs no
 * assertions. It generates declarations from the schemas of the kinds, and runs them on embedded API servers with a fake clock.
 *
 * Rejects with EXPLORE_FOUND if a rule with the level 'error' is violated; the message describes each finding with the shortest known
 * history. With `report: 'return'`, resolves with the findings instead. Rejects with CANNOT_GENERATE if no valid object of a kind can be
 * generated, or if the operator cannot realize any of the tried objects; then pass a sample. Rejects with INVALID_OPTION if `dependsOn`
 * contains an unknown field.
 *
 * @example
 * test('the operator keeps the rules of operators', async () => {
 *   await explore({ kinds: [Database], controllers: [DatabaseController], budget: '10s' });
 * });
 */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const exploration = await exploreKinds(options);
  const { findings } = exploration;
  if (findings.length === 0 || options.report === 'return') return exploration;
  const count = findings.length === 1 ? '1 problem' : `${findings.length} problems`;
  const reports = findings.map(
    (finding) => `${reportFinding(finding)}\n  to accept: ${JSON.stringify(finding.signature)}`,
  );
  throw new KubewrightError(
    'EXPLORE_FOUND',
    `explore found ${count} in ${exploration.trials} trials\n\n${reports.join('\n\n')}`,
  );
}
