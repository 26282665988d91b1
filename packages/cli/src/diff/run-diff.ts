import {
  type CompatibilityClass,
  type CompatibilityFinding,
  compareDefinitions,
  verdictOf,
} from '@kubewright/api/crd-compatibility';
import type { CommandContext } from '../command/command-context.js';
import { ExitCode } from '../command/exit-codes.js';
import { declaredDefinitions } from '../deploy/declared-definitions.js';
import { declaredProject } from '../deploy/with-cluster.js';
import { findProject } from '../project/find-project.js';
import { definitionsInCluster } from './definitions-in-cluster.js';
import { reportLines } from './diff-report.js';
import { KubewrightError } from '@kubewright/api/errors';
import { writtenDefinitions } from './written-definitions.js';
import type { ClusterChoice } from '../deploy/kube-api.js';

/** The options of `kubewright diff`. */
export interface DiffOptions extends ClusterChoice {
  /** The source of the definitions to compare with: `git:REF`, a file, a folder, or `cluster`. */
  readonly against: string;
  /** The most severe class of changes for which the exit code is 0. @default safe */
  readonly allow?: 'ratcheted' | 'breaking';
}

/**
 * Runs `kubewright diff`: compares the previous with the current definitions, and prints the changes by severity. The exit code is 1 if a
 * change is more severe than the options allow.
 */
export async function runDiff(context: CommandContext, options: DiffOptions): Promise<void> {
  const { output } = context;
  checkCluster(options);
  const { root } = await findProject(context.cwd);
  const written = await writtenDefinitions(context, options.against, root);
  const crds = declaredDefinitions(await declaredProject(context));
  const before = written ?? (await definitionsInCluster(context, options, crds));
  const findings = compareDefinitions(before, crds);
  const verdict = verdictOf(findings);
  output.json({ against: options.against, verdict, findings });
  for (const line of reportLines(findings, { against: options.against, styles: output.styles })) output.line(line);
  if (!isAllowed(findings, options.allow)) context.exitWith(ExitCode.no);
}

/** Throws INVALID_USAGE if the options specify a cluster without `--against cluster`. */
function checkCluster({ against, kubeconfig, context }: DiffOptions): void {
  if (against === 'cluster' || (kubeconfig ?? context) === undefined) return;
  const option = kubeconfig === undefined ? '--context' : '--kubeconfig';
  const message = `${option} requires --against cluster: add --against cluster, or remove ${option}`;
  throw new KubewrightError('INVALID_USAGE', message);
}

function isAllowed(findings: readonly CompatibilityFinding[], allow: DiffOptions['allow']): boolean {
  const allowed: Readonly<Record<string, readonly CompatibilityClass[]>> = {
    ratcheted: ['safe', 'ratcheted'],
    breaking: ['safe', 'ratcheted', 'breaking'],
  };
  return (allowed[allow ?? ''] ?? ['safe']).includes(verdictOf(findings));
}
