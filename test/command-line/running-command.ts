import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

/** A process, or a command in this process. */
export interface CommandProcess {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  kill(signal: NodeJS.Signals): boolean;
  once(event: 'close', listener: (code: number | null) => void): unknown;
}

/** A command that keeps running, and the lines that it writes to both streams. */
export class RunningCommand implements AsyncDisposable {
  readonly child: CommandProcess;
  /** Resolves with the exit code; null if a signal ended the process. */
  readonly closed: Promise<number | null>;
  readonly lines: string[] = [];
  /** The unread lines of each stream. The order of lines in different streams is not defined, so tests must not depend on it. */
  readonly #unread: readonly string[][];
  #hasClosed = false;
  #wake: (() => void) | undefined;

  constructor(child: CommandProcess) {
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
   * Returns the next line of either stream that matches, after the last returned line of that stream. Fails if the command ends, or at the
   * time limit.
   */
  async until(pattern: RegExp): Promise<string> {
    const limit = AbortSignal.timeout(HANG_LIMIT_MS);
    limit.addEventListener('abort', () => this.#wake?.(), { once: true });
    for (;;) {
      for (const unread of this.#unread) {
        const at = unread.findIndex((line) => pattern.test(line));
        const [found] = unread.splice(0, at + 1).slice(-1);
        if (found !== undefined) return found;
      }
      if (this.#hasClosed || limit.aborted) assert.fail(`no line matches ${pattern}:\n${this.lines.join('\n')}`);
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
