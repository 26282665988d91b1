import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Bounds a wait for a line. No machine that is merely slow gets here. */
const LIMIT_MS = 300_000;

/** A command that goes on, and all the lines that it writes to either stream. */
export class RunningCommand implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves with the exit code; null where a signal ended it. */
  readonly closed: Promise<number | null>;
  readonly lines: string[] = [];
  /** The lines of each stream that were not looked at yet: which of two streams tells first, no test may ask. */
  readonly #unread: readonly string[][];
  #hasClosed = false;
  #wake: (() => void) | undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    this.#unread = [child.stdout, child.stderr].map((input) => {
      const unread: string[] = [];
      if (input !== null) createInterface({ input }).on('line', (line) => this.#note(line, unread));
      return unread;
    });
    this.closed = new Promise((resolve) => {
      child.once('close', (code) => {
        this.#hasClosed = true;
        this.#wake?.();
        resolve(code);
      });
    });
  }

  /**
   * The first line of either stream that matches, of those behind the last one that was given of that stream; fails when the command ends,
   * or five minutes pass, without one.
   */
  async until(pattern: RegExp): Promise<string> {
    const limit = AbortSignal.timeout(LIMIT_MS);
    limit.addEventListener('abort', () => this.#wake?.(), { once: true });
    for (;;) {
      for (const unread of this.#unread) {
        const at = unread.findIndex((line) => pattern.test(line));
        const [found] = unread.splice(0, at + 1).slice(-1);
        if (found !== undefined) return found;
      }
      if (this.#hasClosed || limit.aborted) assert.fail(`${pattern} was not told:\n${this.lines.join('\n')}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasClosed) this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await this.closed;
    clearTimeout(timer);
  }

  #note(line: string, unread: string[]): void {
    this.lines.push(line);
    unread.push(line);
    this.#wake?.();
  }
}
