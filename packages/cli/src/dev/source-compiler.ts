import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compilerOf, compilerSentences } from '../project/compile-project.js';
import { childEnd, endChild } from '../run/operator-child.js';
import type { Project } from '../project/project.js';

/** What came of compiling. */
export interface Compilation {
  /** `src/x.ts:3:7: …`; empty when all is well. */
  readonly mistakes: readonly string[];
  /** How long it took, by the monotonic clock, in milliseconds. */
  readonly tookMs: number;
}

const BEGUN = /(?:Starting compilation in watch mode|File change detected\. Starting incremental compilation)/;
const ENDED = /Found \d+ errors?\. Watching for file changes/;
const GRACE_MS = 2000;
/** Editors write a file in several steps, each of which is compiled: what is overtaken so soon is not told. */
const SETTLE_MS = 30;

/** The compiler of the project, which goes on and compiles what is saved: much faster than one that is started each time. */
export class SourceCompiler implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #onCompiled: (compilation: Compilation) => void;
  #lines: string[] = [];
  #begunMs = performance.now();
  #settling: NodeJS.Timeout | undefined;

  /** Throws NO_TYPESCRIPT. `onEnded` is called with what it said when it ends by itself. */
  constructor(
    { root }: Project,
    using: {
      readonly onCompiled: (compilation: Compilation) => void;
      readonly onEnded: (said: string) => void;
    },
  ) {
    this.#onCompiled = using.onCompiled;
    const args = [compilerOf(root), '-p', '.', '--watch', '--preserveWatchOutput', '--pretty', 'false'];
    this.#child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    for (const input of [this.#child.stdout, this.#child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', (line) => this.#read(line));
    }
    this.#ended = childEnd(this.#child);
    this.#ended.then(
      () => using.onEnded(this.#lines.join('\n')),
      (error: unknown) => using.onEnded(String(error)),
    );
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
    this.#onCompiled({ mistakes, tookMs: performance.now() - this.#begunMs });
  }

  [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#settling);
    return endChild(this.#child, this.#ended, GRACE_MS);
  }
}
