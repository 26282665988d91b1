import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { SystemClock } from '@kubewright/api/clock';
import { messageOf } from '@kubewright/api/errors';
import { compilerOf, compilerSentences } from '../project/compile-project.js';
import { entriesIfExists } from '../project/if-exists.js';
import type { Project } from '../project/project.js';
import { changesIn } from '../project/watch-project.js';
import { childEnd, endChild } from '../run/operator-child.js';

/** The result of a compilation. */
export interface Compilation {
  /** The errors, such as `src/x.ts:3:7: …`. */
  readonly problems: readonly string[];
  /** Whether the compiler wrote its output. With `noEmitOnError`, the compiler writes no output if there are errors. */
  readonly isWritten: boolean;
  /** The duration in milliseconds. */
  readonly tookMs: number;
}

/** The options of a `SourceCompiler`. */
export interface SourceCompilerUsing {
  /** The arguments of the compiler, as returned by `watchingCall`. */
  readonly call: readonly string[];
  /** Whether the compiler writes its output even if there are errors, that is, without `noEmitOnError`. */
  readonly writesAlways: boolean;
  /** The environment variables of the compiler. @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /**
   * The time in milliseconds for which the report of an outdated compilation is delayed. A compilation is outdated if a source changed
   * after the compilation began. For example, the compiler may have read a file while an editor was writing it. If another compilation
   * begins within this time, the outdated compilation is not reported. @default 2000
   */
  readonly outdatedMs?: number;
  readonly onCompiled: (compilation: Compilation) => void;
  /** Called with the output of the compiler when the compiler exits unexpectedly. */
  readonly onEnded: (reason: string) => void;
}

const STARTED = /(?:Starting compilation in watch mode|File change detected\. Starting incremental compilation)/;
const ENDED = /Found \d+ errors?\. Watching for file changes/;
const GRACE_MS = 2000;
/**
 * The delay in milliseconds before a compilation is reported. If another compilation begins within this time, the previous compilation is
 * not reported, because editors write a file in several steps.
 */
const SETTLE_MS = 30;
/**
 * The maximum time in milliseconds from the moment at which the compiler notices a change to the moment at which this process notices the
 * change.
 */
const EARLIER_MS = 200;
/** The time after which a change that the compiler has not noticed counts as missed. TypeScript before version 7 waits for 250 ms. */
const TIME_LIMIT = '400ms';

/** A process of the compiler. */
interface CompilerRun {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

/**
 * Runs the compiler of a project in watch mode, which is much faster than starting a compiler for each save. In watch mode, tsc misses
 * changes during the first compilation, and changes in folders near the root of the file system, such as /app/src/main.ts. Therefore, this
 * class also watches the sources and restarts tsc after each missed change. At most one tsc process runs at a time.
 */
export class SourceCompiler implements AsyncDisposable {
  readonly #project: Project;
  readonly #using: SourceCompilerUsing;
  readonly #stopping = new AbortController();
  #run: CompilerRun;
  #lines: string[] = [];
  /** The start of the last compilation. */
  #startedMs = performance.now();
  /** The start of the first compilation since the last report. */
  #firstStartedMs = performance.now();
  /** The time when the current process finished its first compilation. The process notices changes only after this time. */
  #watchingSinceMs: number | undefined;
  #settling: NodeJS.Timeout | undefined;
  #onWatching: (() => void) | undefined;
  #isRestarting = false;

  /** @throws KubewrightError NO_TYPESCRIPT if the package typescript is not installed in the project */
  constructor(project: Project, using: SourceCompilerUsing) {
    this.#project = project;
    this.#using = using;
    this.#run = this.#start();
    this.#look().catch((error: unknown) => this.#hasEnded(messageOf(error)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#settling);
    this.#onWatching?.();
    await endChild(this.#run.child, this.#run.ended, GRACE_MS);
  }

  #start(): CompilerRun {
    const { root } = this.#project;
    const watching = ['--watch', '--preserveWatchOutput', '--pretty', 'false'];
    const { call, env = process.env } = this.#using;
    const args = [compilerOf(root), ...call, ...watching];
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, args, { cwd: root, env, stdio, detached: true });
    const run = { child, ended: childEnd(child) };
    for (const input of [child.stdout, child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', (line) => this.#read(line, child));
    }
    run.ended.then(
      () => this.#hasEnded(this.#lines.join('\n')),
      (error: unknown) => this.#hasEnded(messageOf(error)),
    );
    return run;
  }

  #read(line: string, from: ChildProcess): void {
    // Ignores a compiler that is being replaced, because its list of errors may be incomplete.
    if (from !== this.#run.child || this.#isRestarting) return;
    if (STARTED.test(line)) {
      this.#startedMs = performance.now();
      if (this.#settling === undefined) this.#firstStartedMs = this.#startedMs;
      clearTimeout(this.#settling);
      this.#lines = [];
    } else if (ENDED.test(line)) {
      this.#watchingSinceMs ??= performance.now();
      this.#onWatching?.();
      this.#settling = setTimeout(() => this.#settled(), SETTLE_MS);
    } else {
      this.#lines.push(line);
    }
  }
  #settled(): void {
    const startedMs = this.#startedMs;
    void this.#isOutdated(startedMs).then((isOutdated) => {
      if (this.#startedMs !== startedMs || this.#stopping.signal.aborted || this.#isRestarting) return;
      if (isOutdated) this.#settling = setTimeout(() => this.#report(), this.#using.outdatedMs ?? 2000);
      else this.#report();
    });
  }
  /** Reports whether a file in the source folder was changed after the given time of `performance.now()`. */
  async #isOutdated(sinceMs: number): Promise<boolean> {
    const files = await entriesIfExists(this.#project.sourceFolder, { recursive: true }).catch(() => []);
    const changes = files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs);
    const times = await Promise.allSettled(changes);
    return times.some((each) => each.status === 'fulfilled' && each.value > performance.timeOrigin + sinceMs);
  }
  #report(): void {
    this.#settling = undefined;
    const problems = compilerSentences(this.#lines.join('\n'));
    const isWritten = problems.length === 0 || this.#using.writesAlways;
    this.#using.onCompiled({ problems, isWritten, tookMs: performance.now() - this.#firstStartedMs });
  }
  #hasEnded(detail: string): void {
    if (!this.#stopping.signal.aborted && !this.#isRestarting) this.#using.onEnded(detail);
  }

  /** Watches the sources, and restarts the compiler after each change that the compiler misses. */
  async #look(): Promise<void> {
    const { signal } = this.#stopping;
    for await (const paths of changesIn(this.#project, signal)) {
      const { root } = this.#project;
      if (!paths.some((path) => /(\.[cm]?tsx?|^tsconfig\.json)$/.test(relative(root, path)))) continue;
      const isNoticed = await this.#isNoticed(performance.now() - EARLIER_MS);
      if (signal.aborted) return;
      if (!isNoticed) await this.#restart();
    }
  }
  /**
   * Reports whether the compiler noticed a change at `changedMs`: the process had finished its first compilation before the change, and has
   * begun a compilation after the change. Waits for the end of the first compilation, and then up to TIME_LIMIT for the next compilation.
   */
  async #isNoticed(changedMs: number): Promise<boolean> {
    const { signal } = this.#stopping;
    if (this.#watchingSinceMs === undefined && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#onWatching = resolve;
      });
    }
    if (this.#watchingSinceMs === undefined || this.#watchingSinceMs > changedMs) return false;
    if (this.#startedMs < changedMs) await new SystemClock().sleep(TIME_LIMIT, signal);
    return this.#startedMs >= changedMs;
  }
  async #restart(): Promise<void> {
    const { child, ended } = this.#run;
    clearTimeout(this.#settling);
    this.#settling = undefined;
    this.#isRestarting = true;
    await endChild(child, ended, GRACE_MS);
    this.#isRestarting = false;
    if (this.#stopping.signal.aborted) return;
    this.#lines = [];
    this.#watchingSinceMs = undefined;
    this.#startedMs = performance.now();
    this.#run = this.#start();
  }
}
