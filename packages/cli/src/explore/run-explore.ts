import { relative, resolve } from 'node:path';
import type { CommandContext } from '../command/command-context.js';
import { ExitCode } from '../command/exit-codes.js';
import { counted } from '../deploy/apply-objects.js';
import { samplesOf } from '../dev/samples.js';
import { compileProgram } from '../project/compile-program.js';
import { findProject } from '../project/find-project.js';
import { hasOwnCopies } from '../project/package-copies.js';
import type { Project } from '../project/project.js';
import { inspectedModules } from '../project/project-modules.js';
import { projectTools } from '../project/project-tools.js';
import { withCommandVariables } from '../run/command-variables.js';
import { ACCEPTED, acceptedSignatures } from './accepted-signatures.js';
import { savedFinding, savedFindings, saveFindings } from './corpus.js';
import { ExplorationProgress } from './exploration-progress.js';
import type { ExploreMessage, ExploreOrder, Problem, TestMaterial } from './explore-messages.js';
import { exploreNumbers, type ExploreOptions } from './explore-options.js';
import { explorePart } from './explorer.js';
import { problemKey } from './merged-problems.js';
import { assertNewFile, writeTests } from './written-tests.js';

/** An order without the values that differ between the processes. */
type CommonOrder = Omit<ExploreOrder, 'share' | 'known' | 'skipped'>;

/**
 * Runs `kubewright explore`: explores the operator of the project in child processes, and prints the problems. With `--replay`, runs only
 * the saved history. The exit code is 1 if there are problems. Throws INVALID_USAGE and the errors of the compilation and of the program.
 */
export async function runExplore(context: CommandContext, options: ExploreOptions): Promise<void> {
  const { seed, budgetMs, workers } = exploreNumbers(options);
  const { cwd } = context;
  const replay = options.replay === undefined ? undefined : await savedFinding(resolve(cwd, options.replay));
  const write = options.write === undefined ? undefined : resolve(cwd, options.write);
  if (write !== undefined) await assertNewFile(write, options.write ?? '');
  const project = await findProject(cwd);
  const accept = await acceptedSignatures(project);
  await compileProgram(project, context);
  const order: CommonOrder = {
    request: {
      root: project.root,
      main: project.main,
      ...(await inspectedModules(project)),
      hasOwnCopies: hasOwnCopies(project.root),
    },
    samples: await samples(context, project),
    kind: options.kind,
    field: options.field,
    seed,
    budgetMs,
    accept,
    replay,
  };
  const exploration = new Exploration(context, project, order);
  await exploration.run(replay === undefined ? workers : 1);
  if (replay === undefined) await exploration.report(write);
  if (context.signal.aborted) context.exitWith(ExitCode.interrupted);
}

/** Returns the objects in the samples of the project. */
async function samples(context: CommandContext, project: Project): Promise<CommonOrder['samples']> {
  const { signal, env, output } = context;
  const print = (text: string): void => output.note(text.replace(/\n$/, ''));
  const declared = await projectTools(context).inspect(project, { signal, env, print });
  return (await samplesOf(project, declared)).map(({ object }) => object);
}

/** The exploration of an operator in several processes. */
class Exploration {
  readonly #context: CommandContext;
  readonly #project: Project;
  readonly #order: CommonOrder;
  /** The warnings that are already printed. The class prints each warning once. */
  readonly #notes = new Set<string>();
  readonly #unexplored = new Set<string>();
  #progress: ExplorationProgress | undefined;
  #material: TestMaterial | undefined;

  constructor(context: CommandContext, project: Project, order: CommonOrder) {
    this.#context = context;
    this.#project = project;
    this.#order = order;
  }

  /** Runs the processes. If one of them fails, ends the others and rejects with its error. */
  async run(workers: number): Promise<void> {
    using progress = new ExplorationProgress(this.#context);
    this.#progress = progress;
    const known = this.#order.replay === undefined ? await savedFindings(this.#project) : [];
    const failed = new AbortController();
    const signal = AbortSignal.any([this.#context.signal, failed.signal]);
    const parts = Array.from({ length: workers }, async (_, index) => {
      const share = { index, count: workers };
      try {
        await this.#explorePart({ share, known: known.filter((_each, at) => at % workers === index), signal });
      } catch (error) {
        failed.abort();
        throw error;
      }
    });
    const ends = await Promise.allSettled(parts);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /**
   * Explores one share of the trials in a child process. If a trial does not end, uses the remaining time for another process, which skips
   * that trial.
   */
  async #explorePart({
    share,
    known,
    signal,
  }: Pick<ExploreOrder, 'share' | 'known'> & { readonly signal: AbortSignal }): Promise<void> {
    const endMs = performance.now() + this.#order.budgetMs;
    const skipped: string[] = [];
    let budgetMs = this.#order.budgetMs;
    while (budgetMs > 0) {
      const order = { ...this.#order, budgetMs, share, known, skipped };
      const onMessage = (message: ExploreMessage): void => this.#note(share.index, message);
      const unended = await explorePart(this.#context, { order, env: this.#env, signal, onMessage });
      if (unended === undefined) return;
      if (order.replay !== undefined) return this.#printReplay({ ...unended.problem, trace: '', isViolated: true });
      this.#progress?.endPart(share.index, unended.problem);
      skipped.push(unended.key);
      budgetMs = endMs - performance.now();
    }
  }

  /** The environment of the operator. A namespaced operator works in the namespace of the explored objects. */
  get #env(): NodeJS.ProcessEnv {
    const { env } = this.#context;
    const { namespaced } = this.#project.settings;
    return withCommandVariables(env, { set: namespaced ? { KUBEWRIGHT_NAMESPACES: 'default' } : {} });
  }

  #note(part: number, message: ExploreMessage): void {
    switch (message.type) {
      case 'loaded':
        this.#material = message.material;
        return;
      case 'progress':
      case 'done':
        this.#progress?.note(part, message.coverage, message.problems);
        return;
      case 'connection':
        return this.#warn(message.message);
      case 'unexplored':
        this.#unexplored.add(message.message);
        return;
      case 'replayed':
        return this.#printReplay(message);
      default:
    }
  }
  #warn(message: string): void {
    const { output } = this.#context;
    if (this.#notes.has(message)) return;
    this.#notes.add(message);
    output.status('');
    output.note(`${output.errorStyles.yellow('warning:')} ${message}`);
  }
  #printReplay({
    report,
    trace,
    isViolated,
  }: Omit<Extract<ExploreMessage, { readonly type: 'replayed' }>, 'type'>): void {
    const { output } = this.#context;
    if (trace !== '') output.line(trace);
    output.line(report);
    output.line(isViolated ? 'the history violates the rule' : 'the history does not violate the rule');
    if (isViolated) this.#context.exitWith(ExitCode.no);
  }

  /** Prints the problems or the coverage, saves the histories, writes the tests, and sets the exit code. */
  async report(write: string | undefined): Promise<void> {
    const { output } = this.#context;
    const { problems = [], coverageText = '', seconds = 0 } = this.#progress ?? {};
    const { bold, green, red } = output.styles;
    const shown = problems.filter(({ finding }) => !this.#order.accept.includes(finding.signature));
    const paths = await saveFindings(this.#project, shown);
    for (const problem of shown) {
      const [headline = '', ...details] = problem.report.split('\n');
      output.line([bold(headline), ...details].join('\n'));
      output.line(`  replay: npx kubewright explore --replay ${paths.get(problemKey(problem))}`);
      output.line(`  accept: add ${JSON.stringify(problem.finding.signature)} with a reason to ${ACCEPTED}\n`);
    }
    for (const message of this.#unexplored) output.error(`${output.errorStyles.red('error:')} ${message}`);
    const found = shown.length === 0 ? green('found nothing') : red(`found ${counted(shown.length, 'problem')}`);
    output.line(`${found} in ${seconds} s: ${coverageText} (seed ${this.#order.seed})`);
    if (write !== undefined) await this.#write(write, shown);
    if (shown.length > 0) this.#context.exitWith(ExitCode.no);
    else if (this.#unexplored.size > 0) this.#context.exitWith(ExitCode.project);
  }

  async #write(path: string, problems: readonly Problem[]): Promise<void> {
    const { output, cwd } = this.#context;
    if (this.#material === undefined || problems.length === 0) return;
    const { written, unwritten } = await writeTests(path, {
      problems,
      material: this.#material,
      root: this.#project.root,
    });
    for (const each of written) output.line(`wrote ${relative(cwd, each)}`);
    for (const reason of unwritten) output.note(`${output.errorStyles.yellow('warning:')} ${reason}`);
  }
}
