import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { areSeen, type PageStep, pageSteps } from './page-steps.js';
import { StepProgram } from './step-programs.js';

/** How a page is followed. */
export interface FollowedPageOptions {
  /** An empty folder. */
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

class Reader implements AsyncDisposable {
  readonly #options: FollowedPageOptions;
  #folder: string;
  /** The program that keeps running in the terminal, and the start of its output since the last step. */
  #running: { readonly program: StepProgram; from: number } | undefined;
  /** The output of the last program that has ended. */
  #said = '';
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
    this.#said = '';
    this.#skipped = / kubectl /.test(line) && !kubectl;
    if (this.#skipped) return;
    if (!beside) await this.#end();
    const [, to] = /^cd (\S+)$/.exec(line) ?? [];
    if (to !== undefined) {
      this.#folder = join(this.#folder, to);
      return;
    }
    const program = new StepProgram('sh', ['-c', line], { cwd: this.#folder, env });
    if (line === 'npm run dev') this.#running = { program, from: 0 };
    else this.#said = await program.done();
  }

  async #see(lines: readonly string[]): Promise<void> {
    if (this.#skipped) return;
    const running = this.#running;
    if (this.#said !== '') {
      if (!areSeen(lines, this.#said)) throw new Error(`${lines.join('\n')}\nis not what was seen:\n${this.#said}`);
    } else if (running === undefined) throw new Error(`nothing was done before\n${lines.join('\n')}`);
    else {
      const { program, from } = running;
      await program.until(`it says\n${lines.join('\n')}\n`, () =>
        Promise.resolve(areSeen(lines, program.text.slice(from))),
      );
    }
  }

  async #write(path: string, text: string): Promise<void> {
    this.#said = '';
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
