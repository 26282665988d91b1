import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { KubeObject } from '@kubewright/api';
import { groupOf } from '@kubewright/api/metadata';
import { deepEqual } from '@kubewright/api/patch';
import type { CommandContext } from '../command/command-context.js';
import { ExitCode, exitCodeOf } from '../command/exit-codes.js';
import { reportError } from '../command/report-error.js';
import { clusterRefusal } from '../deploy/cluster-refusal.js';
import { untilServed } from '../deploy/definitions.js';
import { warnOfTests } from '../project/compile-program.js';
import type { InspectedProject } from '../project/inspected-project.js';
import { inspectedModules } from '../project/project-modules.js';
import type { Project } from '../project/project.js';
import { sortedProblems } from '../project/test-problems.js';
import { AppliedSamples } from './applied-samples.js';
import type { DevCluster } from './dev-cluster.js';
import type { DevOperator, OperatorState } from './dev-operator.js';
import { ObjectLines } from './object-lines.js';
import { ObjectWatch } from './object-watch.js';
import { samplesOf } from './samples.js';
import { unsettled } from './settled.js';
import { notRegistered, rejectedWithoutOperator, webhookSummary } from './webhook-lines.js';
import type { Compilation } from './source-compiler.js';
import { Stopwatch } from './stopwatch.js';

/** The options of a `DevSession`. */
export interface DevSessionOptions {
  readonly context: CommandContext;
  readonly project: Project;
  readonly cluster: DevCluster;
  readonly operator: DevOperator;
  /** Runs before the operator starts for the first time. */
  readonly onFirstStart?: () => Promise<void>;
  /**
   * Called with the exit code for the command after an error is printed. If undefined, the session prints that it waits for the next save.
   */
  readonly onFailure?: (exitCode: ExitCode) => void;
}

/**
 * A session of `kubewright dev`. After each successful compilation, installs the kinds of the project in the cluster, restarts the
 * operator, and applies the samples. Prints a line for each change of an object.
 */
export class DevSession implements AsyncDisposable {
  readonly #options: DevSessionOptions;
  readonly #lines = new ObjectLines();
  readonly #objects: ObjectWatch;
  readonly #samples: AppliedSamples;
  #kinds: readonly CustomResourceDefinition[] = [];
  #declared: InspectedProject | undefined;
  #state: OperatorState = { idle: false, reconciles: 0 };
  /**
   * The samples count as processed when the operator has completed this number of reconciles: the reconciles before the last apply, plus
   * one for each created or changed sample whose kind the operator reconciles.
   */
  #reportedAfter = 0;
  /** Whether all samples have been applied to the cluster since the last start or change of a sample file. */
  #areApplied = false;
  /** The latest successful compilation, until its program starts. */
  #next: Compilation | undefined;
  /** The start of the operator that is in progress. */
  #starting: { isSuperseded: boolean } | undefined;
  #work: Promise<void> = Promise.resolve();
  #isEnding = false;
  /** Whether the current program has started its manager, and has not ended by itself. */
  #hasStarted = false;
  #hasReportedWebhooks = false;
  #hasReportedPolicies = false;
  #changed: (() => void) | undefined;

  constructor(options: DevSessionOptions) {
    const { context, cluster } = options;
    this.#options = options;
    this.#samples = new AppliedSamples(cluster.api, context.output);
    this.#objects = new ObjectWatch(cluster.api, (object, type) => {
      const line = type === 'deleted' ? this.#lines.deletedLine(object) : this.#lines.of(object);
      if (line !== undefined) context.output.line(`${context.output.styles.cyan('●')} ${line}`);
      this.#changed?.();
    });
  }

  /**
   * Handles the end of a compilation. Prints the errors. Restarts the operator if there are no errors, or if only tests have errors and the
   * compiler wrote its output.
   */
  compiled(compilation: Compilation): void {
    this.#next = undefined;
    const { output } = this.#options.context;
    const { red } = output.errorStyles;
    const { ofTests, ofProgram } = sortedProblems(compilation.problems);
    const problems = compilation.isWritten ? ofProgram : compilation.problems;
    for (const problem of problems) output.error(red(problem));
    if (compilation.isWritten && ofTests.length > 0) warnOfTests(ofTests, this.#options.context);
    if (problems.length > 0) {
      const continues = this.#options.operator.isRunning
        ? 'the previous version of the operator continues to run; '
        : '';
      this.#failed(ExitCode.project, continues);
      return;
    }
    this.#next = compilation;
    this.#endStart();
    this.#enqueue(async () => (this.#next === compilation ? this.#restart(compilation) : undefined));
  }
  /** Handles a change of the sample files: applies the changed samples. */
  samplesChanged(): void {
    this.#enqueue(async () => {
      if (this.#declared !== undefined) await this.#applySamples(this.#declared);
    });
  }
  /** Handles an unexpected exit of the operator: prints the reason, and removes the webhooks from an existing cluster. */
  crashed(reason: string): void {
    const { output, signal } = this.#options.context;
    if (signal.aborted) return;
    output.error(`${output.errorStyles.red('error:')} the operator ${reason}`);
    if (this.#options.cluster.isOwn) {
      for (const line of rejectedWithoutOperator(this.#declared?.operator.webhooks)) {
        output.note(output.errorStyles.dim(line));
      }
    }
    this.#failed(ExitCode.project);
    this.#hasStarted = false;
    this.#enqueue(() => this.#suspendWebhooks());
  }
  /** Stores the new activity of the operator. A pending `settled` then checks the samples again. */
  worked(state: OperatorState): void {
    this.#state = state;
    this.#changed?.();
  }

  /**
   * Waits until all samples are in their desired state, and resolves with an empty list. If the signal aborts first, resolves with one line
   * for each sample that is not in its desired state. The line contains the reason. If the session has not applied all samples yet,
   * resolves with one line that states this reason.
   */
  async settled(signal: AbortSignal): Promise<readonly string[]> {
    signal.addEventListener('abort', () => this.#changed?.(), { once: true });
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
      const watched = this.#unsettled((sample) => this.#objects.find(sample));
      // Reads the samples from the cluster, because the watches may not have received the last writes of the operator yet.
      const unsettled = watched.length > 0 ? watched : await this.#unsettledInCluster();
      if (unsettled.length === 0 || signal.aborted) return unsettled;
      await changed;
    }
  }
  async #unsettledInCluster(): Promise<readonly string[]> {
    const { api } = this.#options.cluster;
    const { objects } = this.#samples;
    const found = await Promise.all(objects.map(async (sample) => [sample, await api.find(sample)] as const));
    const now = new Map(found);
    return this.#unsettled((sample) => now.get(sample));
  }
  #unsettled(find: (sample: KubeObject) => KubeObject | undefined): readonly string[] {
    if (!this.#areApplied) return ['the operator: not all samples are applied yet'];
    const { idle, reconciles } = this.#state;
    return this.#samples.objects.flatMap((sample) => {
      const now = find(sample);
      const isIdle = !this.#isReconciled(sample) || (idle && reconciles >= this.#reportedAfter);
      const why = now === undefined ? 'it does not exist' : unsettled(now, { idle: isIdle });
      return why === undefined ? [] : [`${sample.kind} ${sample.metadata.name}: ${why}`];
    });
  }
  #isReconciled({ apiVersion, kind }: KubeObject): boolean {
    const { controllers = [] } = this.#declared?.operator ?? {};
    return controllers.some(({ for: of }) => of?.kind.kind === kind && of.kind.group === groupOf(apiVersion));
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    // Stops the operator first, because pending work may wait until the operator has loaded or started.
    await this.#options.operator.stop();
    await this.#work;
    await this.#objects[Symbol.asyncDispose]();
    // The API server would otherwise call webhooks that no process serves.
    await this.#options.cluster.webhooks?.unregister();
  }

  /** Runs `work` after all previous work. Prints an error of `work`, so that the user can correct the error and save again. */
  #enqueue(work: () => Promise<void>): void {
    const { context, cluster } = this.#options;
    this.#work = this.#work.then(async () => {
      if (context.signal.aborted) return;
      try {
        await work();
      } catch (error) {
        if (context.signal.aborted || this.#isEnding) return;
        const refusal = clusterRefusal(error, cluster.api.connection);
        reportError(refusal, context);
        this.#failed(exitCodeOf(refusal));
      }
    });
  }
  #failed(exitCode: ExitCode, continues = ''): void {
    const { context, onFailure } = this.#options;
    if (onFailure !== undefined) onFailure(exitCode);
    else context.output.note(context.output.errorStyles.dim(`${continues}waiting for the next save`));
  }

  /** Aborts the start in progress. A newer program must not wait for a program that may never finish loading or starting. */
  #endStart(): void {
    if (this.#starting === undefined) return;
    this.#starting.isSuperseded = true;
    // Ignores errors, because the next start stops the operator again and reports the error.
    this.#options.operator.stop().catch(() => undefined);
  }

  async #restart(compilation: Compilation): Promise<void> {
    const starting = { isSuperseded: false };
    this.#starting = starting;
    this.#next = undefined;
    try {
      await this.#start(compilation, starting);
    } catch (error) {
      if (starting.isSuperseded) return;
      await this.#suspendWebhooks();
      throw error;
    } finally {
      this.#starting = undefined;
    }
  }

  async #start(compilation: Compilation, starting: { readonly isSuperseded: boolean }): Promise<void> {
    const { context, project, operator } = this.#options;
    const watch = new Stopwatch();
    watch.add('compile', compilation.tookMs);
    await watch.time('stop', () => operator.stop());
    this.#hasStarted = false;
    this.#state = { idle: false, reconciles: 0 };
    this.#reportedAfter = 0;
    this.#areApplied = false;
    const modules = await inspectedModules(project);
    const declared = await watch.time('load', () => operator.load(modules));
    if (starting.isSuperseded) return;
    if (this.#declared === undefined) await this.#prepareFirstStart();
    await watch.time('kinds', () => this.#prepareCluster(declared));
    context.signal.throwIfAborted();
    if (starting.isSuperseded) return;
    await watch.time('start', () => operator.start());
    this.#hasStarted = true;
    if (starting.isSuperseded) return;
    const { dim, green } = context.output.styles;
    if (this.#declared === undefined) this.#printKubectlUsage();
    this.#declared = declared;
    await this.#registerWebhooks(declared);
    await this.#applyPolicies(declared);
    context.output.line(`${green('running')} ${dim(`after ${watch.text}`)}`);
    await this.#applySamples(declared);
  }

  async #prepareFirstStart(): Promise<void> {
    await this.#options.cluster.removeEndedSessions();
    await this.#options.onFirstStart?.();
  }
  /** Installs the kinds, with the conversions by the operator. The operator starts afterwards, so that its caches can convert objects. */
  async #prepareCluster(declared: InspectedProject): Promise<void> {
    const { cluster } = this.#options;
    await cluster.webhooks?.prepare(declared);
    await this.#installKinds(await cluster.definitions(declared));
    await cluster.webhooks?.convert(declared);
  }
  /**
   * Registers the webhooks of the running operator. If the cluster is an existing cluster and the user specified no webhook address,
   * prints once that the API server does not call the webhooks, and the option for the address.
   */
  async #registerWebhooks(declared: InspectedProject): Promise<void> {
    const { context, cluster } = this.#options;
    const { dim } = context.output.styles;
    const served = webhookSummary(declared.operator.webhooks);
    if (cluster.webhooks === undefined) {
      const isFirst = !this.#hasReportedWebhooks && served !== undefined;
      if (isFirst) for (const line of notRegistered(served)) context.output.line(dim(line));
      this.#hasReportedWebhooks ||= isFirst;
      return;
    }
    const isChanged = await cluster.webhooks.register(declared);
    if (!isChanged && (this.#hasReportedWebhooks || served === undefined)) return;
    this.#hasReportedWebhooks = true;
    context.output.line(dim(`the API server calls the webhooks of the operator: ${served ?? 'none'}`));
  }
  /**
   * Writes the policies of the operator to the local API server. In an existing cluster, prints that the policies are not written, because
   * they would affect other users.
   */
  async #applyPolicies(declared: InspectedProject): Promise<void> {
    const { context, cluster } = this.#options;
    const { policies = [] } = declared.operator;
    const { dim } = context.output.styles;
    const names = policies.map(({ name }) => name).join(', ');
    if (cluster.policies === undefined) {
      const isFirst = !this.#hasReportedPolicies && names !== '';
      if (isFirst) {
        context.output.line(
          dim(
            `the policies of the operator are not applied to the cluster; run 'kubewright deploy' to apply them: ${names}`,
          ),
        );
      }
      this.#hasReportedPolicies ||= isFirst;
      return;
    }
    const isChanged = await cluster.policies.apply(declared);
    if (isChanged) context.output.line(dim(`the API server enforces the policies of the operator: ${names || 'none'}`));
  }
  /**
   * If the operator does not run, removes its webhooks from an existing cluster, because they could block requests of other users. The next
   * start registers the webhooks again. The embedded API server keeps the webhooks.
   */
  async #suspendWebhooks(): Promise<void> {
    const { context, cluster } = this.#options;
    if (this.#hasStarted || (await cluster.webhooks?.suspend()) !== true) return;
    const line = 'removed the webhooks from the cluster until the operator runs again';
    context.output.note(context.output.errorStyles.dim(line));
  }
  #printKubectlUsage(): void {
    const { context, cluster } = this.#options;
    const names = this.#kinds.map(({ spec }) => spec.names.plural).join(',');
    context.output.line(`${context.output.styles.dim('$')} ${cluster.kubectl} get ${names || 'all'} -A`);
  }
  async #installKinds(crds: readonly CustomResourceDefinition[]): Promise<void> {
    const { cluster, context } = this.#options;
    const changed = crds.filter((crd) => !this.#kinds.some((known) => deepEqual(known, crd)));
    for (const crd of changed) {
      const { outcome } = await cluster.api.apply(crd, { force: true });
      if (outcome === 'changed') context.output.line(context.output.styles.dim(`changed ${crd.metadata.name}`));
    }
    if (changed.length > 0)
      await untilServed(
        cluster.api,
        changed.map(({ metadata }) => metadata.name),
        context.signal,
      );
    this.#kinds = crds;
    this.#lines.show(crds);
    await this.#objects.of(crds);
  }

  async #applySamples(declared: InspectedProject): Promise<void> {
    const { reconciles } = this.#state;
    this.#areApplied = false;
    const changed = await this.#samples.apply(await samplesOf(this.#options.project, declared));
    const reconciled = changed.filter((sample) => this.#isReconciled(sample));
    if (reconciled.length > 0) this.#reportedAfter = reconciles + reconciled.length;
    await this.#objects.alsoAt(this.#samples.objects);
    this.#areApplied = true;
    this.#changed?.();
  }
}
