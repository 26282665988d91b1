import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { CommandContext } from '../command/command-context.js';
import { ExitCode } from '../command/exit-codes.js';
import type { Styles } from '../command/styles.js';
import { pendingChanges } from '../generate/pending-changes.js';
import { projectWarnings } from '../generate/project-warnings.js';
import { inspectedBy } from '../project/declared-by.js';
import { findProject } from '../project/find-project.js';
import { checkCandidates } from './check-candidates.js';
import { checkCluster } from './check-cluster.js';
import { checkTsconfig, checkTypeScript } from './check-compiler.js';
import { checkGenerated } from './check-generated.js';
import { checkPackages } from './check-packages.js';
import { checkContainerEngine, checkKubectl, checkNode, checkPackageManager } from './check-programs.js';
import { doubtful, type Finding, ok, refused, warning } from './finding.js';
import type { ClusterChoice } from '../deploy/kube-api.js';
import type { DeclaredProject } from '../deploy/with-cluster.js';

/** The options of `kubewright doctor`. */
export interface DoctorOptions extends ClusterChoice {
  readonly cluster?: boolean;
}

/** The style of each state. */
const STYLES: Readonly<Record<Finding['state'], keyof Styles>> = {
  ok: 'green',
  note: 'cyan',
  warning: 'yellow',
  wrong: 'red',
};

/** The findings about a project, and the declarations of the project. The declarations are undefined if the inspection failed. */
interface ProjectFindings {
  readonly findings: readonly Finding[];
  readonly project?: DeclaredProject;
}

/** Runs `kubewright doctor`: prints the result of each check. The exit code is 1 if the state of a check is `wrong`. */
export async function runDoctor(context: CommandContext, options: DoctorOptions): Promise<void> {
  const { cwd, env, signal, output } = context;
  const environment = { cwd, env, signal };
  const { findings, project } = await checkProject(context);
  const all = [
    checkNode(),
    await checkPackageManager(environment),
    await checkKubectl(environment),
    await checkContainerEngine(environment),
    ...findings,
    ...(options.cluster === true ? await checkCluster(context, options, project) : []),
  ];
  for (const finding of all) report(context, finding);
  output.json({ findings: all });
  if (all.some(({ state }) => state === 'wrong')) context.exitWith(ExitCode.no);
}

async function checkProject(context: CommandContext): Promise<ProjectFindings> {
  const findings: Finding[] = [];
  try {
    const project = await findProject(context.cwd);
    const { root, settings } = project;
    findings.push(ok('project', `${settings.name} in ${root}`));
    append(findings, [checkTypeScript(root)], await checkTsconfig(root), checkPackages(root));
    // Skips the other checks, which would fail for the same reasons.
    if (findings.some(({ state }) => state === 'wrong')) return { findings };
    const declared = await inspectedBy(project, context);
    append(findings, checkGenerated(await pendingChanges(project, declared)));
    const { kinds, samples } = await projectWarnings(project, declared);
    append(
      findings,
      kinds.map((each) => doubtful('kinds', each)),
      samples.map(misfit),
      await checkCandidates(project, declared),
    );
    return { findings, project: { project, declared } };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof KubewrightError)) throw error;
    return { findings: [...findings, projectRefused(context, error)] };
  }
}
function misfit(found: string): Finding {
  return warning('samples', found, 'correct the sample or the kind');
}
function projectRefused({ cwd }: CommandContext, error: KubewrightError): Finding {
  if (error.code !== 'NO_PROJECT') return refused('project', error);
  return warning(
    'project',
    `found no project in ${cwd} or its parent folders`,
    'change to the folder of a project to check the project',
  );
}
function report({ output }: CommandContext, { state, found, remedy }: Finding): void {
  const { styles } = output;
  output.line(`${styles[STYLES[state]](state.padEnd(7))} ${found.replaceAll('\n', '\n        ')}`);
  if (remedy !== undefined) output.line(`        ${styles.dim(remedy)}`);
}
