import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const LIMIT_MS = 60_000;

/** A command that goes on, and all the lines that it writes to either stream. */
export class RunningCommand implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves with the exit code; null where a signal ended it. */
  readonly closed: Promise<number | null>;
  readonly lines: string[] = [];
  #read = 0;
  #hasClosed = false;
  #wake: (() => void) | undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    for (const input of [child.stdout, child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', (line) => this.#note(line));
    }
    this.closed = new Promise((resolve) => {
      child.once('close', (code) => {
        this.#hasClosed = true;
        this.#wake?.();
        resolve(code);
      });
    });
  }

  /** The first line that matches, of those that were not looked at before; fails when the command ends, or a minute passes, without one. */
  async until(pattern: RegExp): Promise<string> {
    const limit = AbortSignal.timeout(LIMIT_MS);
    limit.addEventListener('abort', () => this.#wake?.(), { once: true });
    for (;;) {
      for (let line = this.lines[this.#read++]; line !== undefined; line = this.lines[this.#read++]) {
        if (pattern.test(line)) return line;
      }
      this.#read = this.lines.length;
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

  #note(line: string): void {
    this.lines.push(line);
    this.#wake?.();
  }
}
