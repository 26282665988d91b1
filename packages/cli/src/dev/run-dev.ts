import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import type { CommandContext } from '../command/command-context.js';
import { ExitCode } from '../command/exit-codes.js';
import { timeoutMs } from '../command/timeout-ms.js';
import { TimeLimit } from '../command/time-limit.js';
import { clusterRefusal } from '../deploy/cluster-refusal.js';
import { watchingCall } from '../project/compiler-notes.js';
import { findProject } from '../project/find-project.js';
import { hasOwnCopies } from '../project/package-copies.js';
import type { Project } from '../project/project.js';
import { projectTools } from '../project/project-tools.js';
import { readTsconfig } from '../project/tsconfig.js';
import { withCommandVariables } from '../run/command-variables.js';
import { warnOfDeployedOperator } from '../run/deployed-operator.js';
import { isElecting } from '../run/election-variables.js';
import { type DevCluster, openDevCluster } from './dev-cluster.js';
import type { DevOptions } from './dev-options.js';
import { DevOperator } from './dev-operator.js';
import { DevSession } from './dev-session.js';
import { watchSamples } from './sample-watch.js';
import { SourceCompiler } from './source-compiler.js';

/**
 * Runs `kubewright dev` until a signal interrupts the command. With `--once`, also stops when the samples are in their desired state, after
 * the first error, and after the time limit.
 */
export async function runDev(context: CommandContext, options: DevOptions, flags: readonly string[]): Promise<void> {
  const limitMs = timeoutMs(options.timeout);
  const project = await findProject(context.cwd);
  const ownCopies = hasOwnCopies(project.root);
  await using cluster = await openDevCluster(context, project, options);
  reportCluster(context, project, cluster);
  let session: DevSession | undefined;
  await using operator = new DevOperator({
    project,
    hasOwnCopies: ownCopies,
    env: operatorEnv(context, cluster),
    flags,
    restarts: options.once !== true,
    ...(cluster.webhooks !== undefined && { webhooks: cluster.webhooks.local }),
    onLine: (line) => context.output.text(line),
    onCrash: (reason) => session?.crashed(reason),
    onIdle: (state) => session?.worked(state),
  });
  const failed = new AbortController();
  const onFailure = (exitCode: ExitCode): void => failed.abort(exitCode);
  const forOnce = options.once === true ? { onFailure } : {};
  const isBeside = !cluster.isOwn && options.leaderElect !== true && !isElecting(context.env, flags);
  const beside = isBeside ? { onFirstStart: () => warnBeside(context, project, cluster) } : {};
  await using running = new DevSession({ context, project, cluster, operator, ...beside, ...forOnce });
  session = running;
  const broken = new AbortController();
  await using _compiler = new SourceCompiler(project, {
    call: await watchingCall(project),
    env: context.env,
    writesAlways: (await readTsconfig(join(project.root, 'tsconfig.json'))).noEmitOnError !== true,
    onCompiled: (compilation) => running.compiled(compilation),
    onEnded: (detail) => broken.abort(compilerEnded(detail)),
  });
  using _samples = watchSamples(project, () => running.samplesChanged());
  try {
    if (options.once === true) await once(context, running, { broken: broken.signal, failed: failed.signal, limitMs });
    else await aborted(AbortSignal.any([context.signal, broken.signal]));
    if (!context.signal.aborted) broken.signal.throwIfAborted();
    if (context.signal.aborted) context.output.note(context.output.errorStyles.dim('stopping'));
  } catch (error) {
    throw clusterRefusal(error, cluster.api.connection);
  }
}

/**
 * Warns if the operator is also deployed in the cluster. Inspects the project separately to read the leader election settings of the
 * program. The declarations of the session do not contain these settings, because the session disables leader election.
 */
async function warnBeside(context: CommandContext, project: Project, { api }: DevCluster): Promise<void> {
  const { signal, env } = context;
  const declared = await projectTools(context).inspect(project, { signal, env, print: () => undefined });
  const electing = 'kubewright dev --cluster --leader-elect';
  await warnOfDeployedOperator(context, { project, declared, api, electing });
}

/** The signals that end a session with `--once` early, and the time limit. */
interface OnceOptions {
  /** Aborted when the compiler has exited unexpectedly. */
  readonly broken: AbortSignal;
  /** Aborted after an error of the project or the cluster. The reason is the exit code. */
  readonly failed: AbortSignal;
  readonly limitMs: number;
}

async function once(
  context: CommandContext,
  session: DevSession,
  { broken, failed, limitMs }: OnceOptions,
): Promise<void> {
  using limit = new TimeLimit(context.signal, limitMs);
  const unsettled = await session.settled(AbortSignal.any([limit.signal, broken, failed]));
  if (context.signal.aborted || broken.aborted) return;
  if (failed.aborted) return context.exitWith(failed.reason as ExitCode);
  const { output } = context;
  if (unsettled.length === 0) return output.line(output.styles.green('all samples are in the desired state'));
  context.exitWith(ExitCode.no);
  output.error(
    `${output.errorStyles.red('error:')} the samples did not reach the desired state within ${limitMs / 1000} s:`,
  );
  for (const each of unsettled) output.error(`  ${each}`);
}

function reportCluster({ output }: CommandContext, { settings }: Project, { description }: DevCluster): void {
  const { bold, dim } = output.styles;
  output.line(`${bold(settings.name)} ${dim('on')} ${description}`);
}

/** Returns the environment variables of the operator. If the output is a terminal, the default log format is `pretty`. */
function operatorEnv({ output }: CommandContext, { env }: DevCluster): NodeJS.ProcessEnv {
  return output.isTerminal ? withCommandVariables(env, { byDefault: { KUBEWRIGHT_LOG_FORMAT: 'pretty' } }) : env;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
function compilerEnded(detail: string): KubewrightError {
  return new KubewrightError('COMPILATION_FAILED', `the compiler of the project exited unexpectedly: ${detail}`);
}
