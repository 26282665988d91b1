import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KubewrightError } from '@kubewright/api/errors';
import { aliasRemedy } from './missing-alias.js';
import { endedEarly } from './ended-early.js';
import type { InspectedProject } from './inspected-project.js';
import type { InspectionAnswer, InspectionRequest } from './inspection/inspection-messages.js';
import { hasOwnCopies } from './package-copies.js';
import type { Project } from './project.js';
import { inspectedModules } from './project-modules.js';

/** The options of `inspect`. */
export interface InspectOptions {
  /** Aborts the inspection. @default the inspection cannot be aborted */
  readonly signal?: AbortSignal;
  /** The environment variables of the program. Ignores `KUBEWRIGHT_*` and NODE_OPTIONS. @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with the output of the program. @default prints the output to the standard error */
  readonly print?: (text: string) => void;
  /** The maximum time in milliseconds until the program calls `manager.start()`. @default 30000 */
  readonly timeLimitMs?: number;
}

/**
 * Returns the kinds, controllers, and permissions that a compiled project declares. Runs the program up to `manager.start()` in a child
 * process. The child process uses the packages of the project, and rejects all connections.
 * @throws KubewrightError INSPECTION_FAILED if the compiled program or a Kubewright package does not exist, or if the program throws an
 *   error, exits early, exceeds the time limit, or does not start exactly one manager; VERSION_MISMATCH if the Kubewright packages of the
 *   project have another version than this package
 */
export async function inspect(project: Project, options: InspectOptions = {}): Promise<InspectedProject> {
  const { root, main } = project;
  if (!existsSync(main)) throw failed(missingMain(project));
  const request = { root, main, ...(await inspectedModules(project)), hasOwnCopies: hasOwnCopies(root) };
  const { env = process.env } = options;
  const answer = await runInspection(request, { ...options, env: environment(env, project.settings) });
  if ('inspected' in answer) return answer.inspected;
  throw failed(`${answer.problem}${await aliasRemedy(project, answer.problem)}`, answer.stack);
}

function missingMain({ root, sourceFolder, outFolder, main }: Project): string {
  const [source, sources, out, made] = [join(sourceFolder, 'main.ts'), sourceFolder, outFolder, main].map((path) =>
    relative(root, path).replaceAll(sep, '/'),
  );
  if (!existsSync(join(root, source ?? ''))) return `${made} does not exist; create ${source}, and compile it`;
  return `the compiler does not write ${made}, although ${source} exists; set "rootDir": "${sources}" and "outDir": "${out}" in tsconfig.json, and remove "noEmit"`;
}

function runInspection(
  request: InspectionRequest,
  options: InspectOptions & { readonly env: NodeJS.ProcessEnv },
): Promise<InspectionAnswer> {
  const { env, signal, timeLimitMs = 30_000, print = (text) => void process.stderr.write(text) } = options;
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./inspection/inspection-process.js', import.meta.url)), [], {
      cwd: request.root,
      execArgv: ['--enable-source-maps', '--no-warnings'],
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // The default serialization, JSON, does not support bigint, which defaults of fields can contain.
      serialization: 'advanced',
      ...(signal && { signal }),
    });
    let answer: InspectionAnswer | undefined;
    const timer = setTimeout(() => {
      answer = {
        problem: `the program did not call manager.start() within ${timeLimitMs / 1000} s; move slow work to a hook or a runnable of the manager`,
      };
      child.kill('SIGKILL');
    }, timeLimitMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => print(text));
    }
    child.once('message', (message: InspectionAnswer) => {
      answer = message;
    });
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      clearTimeout(timer);
      const end = killedBy === null ? `with exit code ${code}` : `by ${killedBy}`;
      resolve(answer ?? { problem: endedEarly(end) });
    });
    child.send(request, (error) => {
      // The process has already exited. The handler of the close event reports this.
      if (error !== null) child.kill('SIGKILL');
    });
  });
}

/**
 * Removes the variables that would change the declarations of the program, so that the generated files depend only on the code. For a
 * namespaced operator, sets the namespace from the settings.
 */
function environment(env: NodeJS.ProcessEnv, { namespaced, namespace }: Project['settings']): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !/^(KUBEWRIGHT_|NODE_OPTIONS$)/.test(name));
  return { ...Object.fromEntries(others), ...(namespaced && { KUBEWRIGHT_NAMESPACES: namespace }) };
}
function failed(problem: string, stack?: string): KubewrightError {
  const cause = stack === undefined ? undefined : Object.assign(new Error(problem), { stack });
  return new KubewrightError('INSPECTION_FAILED', `cannot inspect the project: ${problem}`, { cause });
}
