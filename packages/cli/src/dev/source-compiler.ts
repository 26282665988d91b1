import { type ChildProcess, spawn } from 'node:child_process';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { SystemClock } from '@kubewright/api/clock';
import { isAborted, KubewrightError, messageOf } from '@kubewright/api/errors';
import { compile, compilerOf, compilerSentences } from '../project/compile-project.js';
import type { Project } from '../project/project.js';
import { changesIn } from '../project/watch-project.js';
import { childEnd, endChild } from '../run/operator-child.js';

/** What came of compiling. */
export interface Compilation {
  /** `src/x.ts:3:7: …`; empty when all is well. */
  readonly mistakes: readonly string[];
  /** Whether the compiler wrote its output, which `noEmitOnError` prevents if there are mistakes. */
  readonly isWritten: boolean;
  /** How long it took, by the monotonic clock, in milliseconds. */
  readonly tookMs: number;
}

/** Who is told, and how it is compiled. */
export interface SourceCompilerUsing {
  /** What the compiler is called with, as `watchingCall` says. */
  readonly call: readonly string[];
  /** Whether the compiler writes its output also if there are mistakes. */
  readonly writesAlways: boolean;
  readonly onCompiled: (compilation: Compilation) => void;
  /** The compiler has ended by itself; with what it said. */
  readonly onEnded: (said: string) => void;
}

const BEGUN = /(?:Starting compilation in watch mode|File change detected\. Starting incremental compilation)/;
const ENDED = /Found \d+ errors?\. Watching for file changes/;
const GRACE_MS = 2000;
/** Editors write a file in several steps, each of which is compiled: what is overtaken so soon is not told. */
const SETTLE_MS = 30;
/** How long before we hear of a change the compiler may have noticed it, and how long after we wait for it to. */
const EARLIER_MS = 200;
const PATIENCE = '150ms';

/**
 * The compiler of the project, which goes on and compiles what is saved: much faster than one that is started each time. It does not look
 * at folders near the root of the file system; what it does not notice, as for /app/src/main.ts, is compiled by one that is started for it.
 */
export class SourceCompiler implements AsyncDisposable {
  readonly #project: Project;
  readonly #using: SourceCompilerUsing;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #stopping = new AbortController();
  #lines: string[] = [];
  #begunMs = performance.now();
  #settling: NodeJS.Timeout | undefined;

  /** Throws NO_TYPESCRIPT. */
  constructor(project: Project, using: SourceCompilerUsing) {
    const { root } = project;
    this.#project = project;
    this.#using = using;
    const watching = ['--watch', '--preserveWatchOutput', '--pretty', 'false'];
    const args = [compilerOf(root), ...using.call, ...watching];
    this.#child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    for (const input of [this.#child.stdout, this.#child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', (line) => this.#read(line));
    }
    this.#ended = childEnd(this.#child);
    this.#ended.then(
      () => this.#hasEnded(this.#lines.join('\n')),
      (error: unknown) => this.#hasEnded(messageOf(error)),
    );
    this.#look().catch((error: unknown) => this.#hasEnded(messageOf(error)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#settling);
    await endChild(this.#child, this.#ended, GRACE_MS);
  }

  #read(line: string): void {
    if (BEGUN.test(line)) {
      // What overtakes another goes on with its time.
      if (this.#settling === undefined) this.#begunMs = performance.now();
      clearTimeout(this.#settling);
      this.#lines = [];
    } else if (ENDED.test(line)) {
      this.#settling = setTimeout(() => this.#settled(), SETTLE_MS);
    } else {
      this.#lines.push(line);
    }
  }
  #settled(): void {
    this.#settling = undefined;
    const mistakes = compilerSentences(this.#lines.join('\n'));
    this.#compiled(mistakes, this.#begunMs);
  }
  #compiled(mistakes: readonly string[], begunMs: number): void {
    const isWritten = mistakes.length === 0 || this.#using.writesAlways;
    this.#using.onCompiled({ mistakes, isWritten, tookMs: performance.now() - begunMs });
  }
  #hasEnded(said: string): void {
    if (!this.#stopping.signal.aborted) this.#using.onEnded(said);
  }

  /** Looks for changes that the compiler does not notice. */
  async #look(): Promise<void> {
    const { signal } = this.#stopping;
    const clock = new SystemClock();
    for await (const paths of changesIn(this.#project, signal)) {
      const { root } = this.#project;
      if (!paths.some((path) => /(\.[cm]?tsx?|^tsconfig\.json)$/.test(relative(root, path)))) continue;
      const changedMs = performance.now() - EARLIER_MS;
      if (this.#begunMs < changedMs) await clock.sleep(PATIENCE, signal);
      if (this.#begunMs < changedMs) await this.#compileOnce();
    }
  }
  async #compileOnce(): Promise<void> {
    const { signal } = this.#stopping;
    const begunMs = performance.now();
    try {
      await compile(this.#project, { signal });
      this.#compiled([], begunMs);
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      if (!(error instanceof KubewrightError && error.code === 'COMPILATION_FAILED')) throw error;
      this.#compiled(error.message.split('\n').slice(1), begunMs);
    }
  }
}
