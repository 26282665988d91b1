import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { areSeen, type PageStep, pageSteps } from './page-steps.js';
import { StepProgram } from './step-programs.js';

/** The options of `followPage`. */
export interface FollowedPageOptions {
  /** The folder in which the terminal starts: an empty folder, or the folder that another page has left. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether kubectl is available. Otherwise, kubectl commands of the page are skipped. */
  readonly kubectl: boolean;
}

/** Follows the steps of a page exactly, and checks their results. Rejects with the actual output if a result differs. */
export async function followPage(path: string, options: FollowedPageOptions): Promise<void> {
  await using reader = new Reader(options);
  for (const step of pageSteps(await readFile(path, 'utf8'))) await reader.follow(step);
}

/** Time in milliseconds during which a command next to the running program is repeated until its output matches. */
const AGAIN_MS = 15_000;

class Reader implements AsyncDisposable {
  readonly #options: FollowedPageOptions;
  #folder: string;
  /** The program that runs in the terminal. `from` is the length of its output when the page last changed a file. */
  #running: { readonly program: StepProgram; from: number } | undefined;
  /** The output of the last program that has ended. */
  #output = '';
  /** Runs the last command again, if it was typed next to the running program. */
  #again: (() => Promise<string>) | undefined;
  #skipped = false;

  constructor(options: FollowedPageOptions) {
    this.#options = options;
    this.#folder = options.folder;
  }

  async follow(step: PageStep): Promise<void> {
    if (step.does === 'command') await this.#type(step.line, step.beside);
    else if (step.does === 'see') await this.#see(step.lines);
    else await this.#write(step.path, step.text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.program[Symbol.asyncDispose]();
  }

  async #type(line: string, beside: boolean): Promise<void> {
    const { env, kubectl } = this.#options;
    this.#output = '';
    this.#again = undefined;
    this.#skipped = / kubectl /.test(line) && !kubectl;
    if (this.#skipped) return;
    if (!beside) await this.#end();
    const [, to] = /^cd (\S+)$/.exec(line) ?? [];
    if (to !== undefined) {
      this.#folder = join(this.#folder, to);
      return;
    }
    const start = (): StepProgram => new StepProgram('sh', ['-c', line], { cwd: this.#folder, env });
    if (line === 'npm run dev') this.#running = { program: start(), from: 0 };
    else {
      this.#output = await start().done();
      if (beside) this.#again = () => start().done();
    }
  }

  async #see(lines: readonly string[]): Promise<void> {
    if (this.#skipped) return;
    const running = this.#running;
    if (this.#output !== '') {
      // The running program may need a moment until another terminal shows its effect.
      const end = performance.now() + AGAIN_MS;
      while (this.#again !== undefined && !areSeen(lines, this.#output) && performance.now() < end) {
        this.#output = await this.#again();
      }
      if (!areSeen(lines, this.#output))
        throw new Error(`${lines.join('\n')}\ndoes not match the output:\n${this.#output}`);
    } else if (running === undefined) throw new Error(`no command precedes this output:\n${lines.join('\n')}`);
    else {
      const { program, from } = running;
      await program.until(`the output contains\n${lines.join('\n')}\n`, () =>
        Promise.resolve(areSeen(lines, program.text.slice(from))),
      );
    }
  }

  async #write(path: string, text: string): Promise<void> {
    this.#output = '';
    this.#again = undefined;
    this.#skipped = false;
    if (this.#running !== undefined) this.#running.from = this.#running.program.text.length;
    await writeFile(join(this.#folder, path), text);
  }

  /** Sends Ctrl-C. */
  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.program.interrupt();
  }
}
