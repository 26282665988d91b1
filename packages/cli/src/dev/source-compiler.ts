import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { SystemClock } from '@kubewright/api/clock';
import { messageOf } from '@kubewright/api/errors';
import { compilerOf, compilerSentences } from '../project/compile-project.js';
import { entriesIfThere } from '../project/if-there.js';
import type { Project } from '../project/project.js';
import { changesIn } from '../project/watch-project.js';
import { childEnd, endChild } from '../run/operator-child.js';

/** The result of a compilation. */
export interface Compilation {
  /** Errors such as `src/x.ts:3:7: …`; empty if there are none. */
  readonly problems: readonly string[];
  /** Whether the compiler wrote its output. `noEmitOnError` prevents the output if there are errors. */
  readonly isWritten: boolean;
  /** The duration in milliseconds, according to the monotonic clock. */
  readonly tookMs: number;
}

/** The options of a `SourceCompiler`. */
export interface SourceCompilerUsing {
  /** The arguments of the compiler, as returned by `watchingCall`. */
  readonly call: readonly string[];
  /** Whether the compiler also writes its output if there are errors. */
  readonly writesAlways: boolean;
  /**
   * The time in milliseconds for which the report of an outdated compilation is delayed. A compilation is outdated if it began before the
   * last change of a source: the compiler may have read a file that an editor had emptied and not yet written. If another compilation
   * begins within this time, the outdated compilation is not reported. @default 2000
   */
  readonly outdatedMs?: number;
  readonly onCompiled: (compilation: Compilation) => void;
  /** Called with the output when the compiler ends unexpectedly. */
  readonly onEnded: (said: string) => void;
}

const BEGUN = /(?:Starting compilation in watch mode|File change detected\. Starting incremental compilation)/;
const ENDED = /Found \d+ errors?\. Watching for file changes/;
const GRACE_MS = 2000;
/** A compilation is not reported if another compilation begins within this time, because editors write a file in several steps. */
const SETTLE_MS = 30;
/** The compiler may notice a change earlier than this process, by at most this time. */
const EARLIER_MS = 200;
/** The time after which the compiler is restarted if it has not noticed a change. TypeScript before version 7 waits for 250 ms. */
const TIME_LIMIT = '400ms';

/** A process of the compiler. */
interface CompilerRun {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

/**
 * Runs the compiler of a project in watch mode, which is much faster than a new compiler for each save. The compiler misses changes during
 * its first compilation, and changes in folders near the root of the file system, such as /app/src/main.ts. SourceCompiler restarts the
 * compiler after each change that the compiler misses. Two compilers never write the same output at the same time.
 */
export class SourceCompiler implements AsyncDisposable {
  readonly #project: Project;
  readonly #using: SourceCompilerUsing;
  readonly #stopping = new AbortController();
  #run: CompilerRun;
  #lines: string[] = [];
  /** The time at which the last compilation began. */
  #begunMs = performance.now();
  /** The time at which the first of several consecutive compilations began. */
  #firstBegunMs = performance.now();
  /** The time at which the current process began to watch, after its first compilation. Undefined until then. */
  #watchingSinceMs: number | undefined;
  #settling: NodeJS.Timeout | undefined;
  #onWatching: (() => void) | undefined;
  #isRestarting = false;

  /** Throws NO_TYPESCRIPT if the project has no compiler. */
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
    const args = [compilerOf(root), ...this.#using.call, ...watching];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
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
    // A compiler that is about to be replaced reports the end of a compilation whose errors are not complete.
    if (from !== this.#run.child || this.#isRestarting) return;
    if (BEGUN.test(line)) {
      this.#begunMs = performance.now();
      if (this.#settling === undefined) this.#firstBegunMs = this.#begunMs;
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
    const begunMs = this.#begunMs;
    void this.#isOutdated(begunMs).then((isOutdated) => {
      if (this.#begunMs !== begunMs || this.#stopping.signal.aborted || this.#isRestarting) return;
      if (isOutdated) this.#settling = setTimeout(() => this.#report(), this.#using.outdatedMs ?? 2000);
      else this.#report();
    });
  }
  /** Reports whether a source was written after a time of the monotonic clock. */
  async #isOutdated(sinceMs: number): Promise<boolean> {
    const files = await entriesIfThere(this.#project.sourceFolder, { recursive: true }).catch(() => []);
    const changes = files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs);
    const times = await Promise.allSettled(changes);
    return times.some((each) => each.status === 'fulfilled' && each.value > performance.timeOrigin + sinceMs);
  }
  #report(): void {
    this.#settling = undefined;
    const problems = compilerSentences(this.#lines.join('\n'));
    const isWritten = problems.length === 0 || this.#using.writesAlways;
    this.#using.onCompiled({ problems, isWritten, tookMs: performance.now() - this.#firstBegunMs });
  }
  #hasEnded(said: string): void {
    if (!this.#stopping.signal.aborted && !this.#isRestarting) this.#using.onEnded(said);
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
  /** Reports whether the current process was watching when the change happened, and began a compilation afterwards. */
  async #isNoticed(changedMs: number): Promise<boolean> {
    const { signal } = this.#stopping;
    if (this.#watchingSinceMs === undefined && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#onWatching = resolve;
      });
    }
    if (this.#watchingSinceMs === undefined || this.#watchingSinceMs > changedMs) return false;
    if (this.#begunMs < changedMs) await new SystemClock().sleep(TIME_LIMIT, signal);
    return this.#begunMs >= changedMs;
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
    this.#begunMs = performance.now();
    this.#run = this.#start();
  }
}
