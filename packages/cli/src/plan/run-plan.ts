import { resolve } from 'node:path';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Plan } from '@kubewright/runtime';
import { loadConnection } from '@kubewright/runtime/internal';
import type { CommandContext } from '../command/command-context.js';
import { ExitCode } from '../command/exit-codes.js';
import { objectsIn } from '../manifests/objects-in.js';
import { compileProgram } from '../project/compile-program.js';
import { endedEarly } from '../project/ended-early.js';
import { findProject } from '../project/find-project.js';
import { textIfExists } from '../project/if-exists.js';
import { hasOwnCopies } from '../project/package-copies.js';
import type { Project } from '../project/project.js';
import { projectTools } from '../project/project-tools.js';
import { childEnd, modulePath, startNode } from '../run/operator-child.js';
import { operatorCluster, operatorEnvironment } from '../run/operator-environment.js';
import type { RunOptions } from '../run/run-options.js';
import { kindOfObject, type NamedObject, namedObject, plannedObjects } from './planned-objects.js';
import type { PlanAnswer, PlanMessage } from './plan-messages.js';
import { printPlan } from './print-plan.js';

/** An object whose reconcile is planned. */
interface Meant {
  readonly kind: string;
  readonly name: string;
  readonly suppose?: KubeObject;
}

/**
 * The objects that the options request: the object in `--plan KIND/NAME`, or the objects in the file. If both options are given, the
 * objects in the file that have this kind and name.
 */
interface PlanRequest {
  readonly named?: NamedObject;
  readonly file?: { readonly objects: readonly KubeObject[]; readonly filename: string };
}

/**
 * Runs `kubewright run --plan`: plans a reconcile of each selected object, and prints the plans. The exit code is 1 if a reconcile ends
 * with an error.
 */
export async function runPlan(context: CommandContext, options: RunOptions, flags: readonly string[]): Promise<void> {
  const { cwd, env } = context;
  const request = await requestOf(context, options);
  const project = await findProject(cwd);
  await compileProgram(project, context);
  const meant = await meantObjects(context, project, request);
  const connection = await loadConnection({ ...operatorCluster(context, options), env });
  const plans: Plan[] = [];
  for (const { kind, name: object, suppose } of meant) {
    const { root, main } = project;
    const namespace = options.namespace ?? suppose?.metadata.namespace ?? connection.namespace ?? 'default';
    const message: PlanMessage = {
      root,
      main,
      hasOwnCopies: hasOwnCopies(root),
      kind,
      name: object,
      namespace,
      ...(options.controller !== undefined && { controller: options.controller }),
      ...(suppose !== undefined && { suppose }),
    };
    const plan = await planned(context, project, { message, options, flags });
    plans.push(plan);
    printPlan(context.output, plan);
  }
  context.output.json(plans.length === 1 ? plans[0] : plans);
  if (plans.some(({ outcome }) => outcome.kind === 'error')) context.exitWith(ExitCode.no);
}

/** Returns the requested objects. The project must be compiled. */
async function meantObjects(
  context: CommandContext,
  project: Project,
  { named, file }: PlanRequest,
): Promise<readonly Meant[]> {
  if (file === undefined) return named === undefined ? [] : [named];
  const { signal, env, output } = context;
  let { objects } = file;
  if (named !== undefined) {
    const print = (text: string): void => output.note(text.replace(/\n$/, ''));
    const { crds, externalCrds } = await projectTools(context).inspect(project, { signal, env, print });
    objects = plannedObjects(file, named, [...crds, ...externalCrds]);
  }
  return objects.map((object) => ({ kind: kindOfObject(object), name: object.metadata.name, suppose: object }));
}

/**
 * Returns the object in `--plan KIND/NAME` and the objects in the file of `--filename`. Throws INVALID_USAGE if both are missing, or if the
 * file does not exist or contains no objects.
 */
async function requestOf({ cwd }: CommandContext, { plan, filename }: RunOptions): Promise<PlanRequest> {
  const named = typeof plan === 'string' ? namedObject(plan) : undefined;
  if (filename === undefined) {
    if (named !== undefined) return { named };
    throw new KubewrightError(
      'INVALID_USAGE',
      '--plan requires an object; pass KIND/NAME, such as website/sample, or a file with -f',
    );
  }
  const text = await textIfExists(resolve(cwd, filename));
  if (text === undefined)
    throw new KubewrightError('INVALID_USAGE', `cannot read ${filename}: the file does not exist`);
  const objects = objectsIn(text, filename);
  if (objects.length === 0) {
    throw new KubewrightError(
      'INVALID_USAGE',
      `cannot plan ${filename}: the file contains no objects; pass a file with an object`,
    );
  }
  return { ...(named !== undefined && { named }), file: { objects, filename } };
}

/** Plans a reconcile in a child process, which runs the program. Prints the output of the program to the standard error. */
async function planned(
  context: CommandContext,
  { root }: Project,
  using: { readonly message: PlanMessage; readonly options: RunOptions; readonly flags: readonly string[] },
): Promise<Plan> {
  const { signal, output, verbose } = context;
  const cluster = operatorCluster(context, using.options);
  const env = { KUBEWRIGHT_LOG_LEVEL: verbose ? 'debug' : 'warn', ...operatorEnvironment(context, cluster) };
  const child = startNode(modulePath('./plan-process.js', import.meta.url), using.flags, {
    cwd: root,
    env,
    output: 'pipe',
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => output.note(text.replace(/\n$/, '')));
  }
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  let answer: PlanAnswer | undefined;
  child.once('message', (message: PlanAnswer) => {
    answer = message;
  });
  child.send(using.message, (error) => {
    if (error !== null) stop();
  });
  const { exitCode } = await childEnd(child);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (answer !== undefined && 'plan' in answer) return answer.plan;
  throw refused(answer, exitCode);
}

function refused(answer: Exclude<PlanAnswer, { readonly plan: Plan }> | undefined, exitCode: number): KubewrightError {
  const message = answer?.message ?? endedEarly(`with exit code ${exitCode}`);
  const cause = answer?.stack === undefined ? undefined : Object.assign(new Error(message), { stack: answer.stack });
  const code = answer?.code ?? 'PLAN_FAILED';
  return new KubewrightError(code, `cannot plan: ${message}`, { cause });
}
