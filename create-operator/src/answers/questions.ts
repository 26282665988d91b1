import { ScaffoldError } from '../scaffold-error.js';
import type { Environment } from '../command/environment.js';

/** A question with a one-line answer. */
export interface Question {
  readonly message: string;
  /** The answer if the user types nothing. */
  readonly initial: string;
  /** The text that is displayed if the default answer is empty. */
  readonly placeholder?: string;
  /** Returns the error in an answer, or undefined for a valid answer. */
  readonly problem: (answer: string) => string | undefined;
}

/** Asks questions at a terminal. Loads the prompt library on demand. */
export class Questions {
  readonly #prompts: typeof import('@clack/prompts');
  readonly #streams: Pick<import('@clack/prompts').CommonOptions, 'input' | 'output' | 'signal'>;

  private constructor(prompts: typeof import('@clack/prompts'), { stdin, stdout, signal }: Environment) {
    this.#prompts = prompts;
    this.#streams = {
      ...(stdin && { input: stdin }),
      ...(stdout && { output: stdout }),
      ...(signal && { signal }),
    };
  }

  static async open(environment: Environment): Promise<Questions> {
    return new Questions(await import('@clack/prompts'), environment);
  }

  begin(title: string): void {
    this.#prompts.intro(title, this.#streams);
  }

  async text({ message, initial, placeholder, problem }: Question): Promise<string> {
    const answer = await this.#prompts.text({
      message,
      placeholder: initial === '' ? (placeholder ?? '') : initial,
      defaultValue: initial,
      validate: (typed) => problem(typed?.trim() || initial),
      ...this.#streams,
    });
    return this.#given(answer).trim();
  }

  async choice(message: string, choices: { readonly yes: string; readonly no: string }): Promise<boolean> {
    const answer = await this.#prompts.confirm({
      message,
      active: choices.yes,
      inactive: choices.no,
      ...this.#streams,
    });
    return this.#given(answer);
  }

  #given<T>(answer: T): Exclude<T, symbol> {
    if (!this.#prompts.isCancel(answer)) return answer as Exclude<T, symbol>;
    throw new ScaffoldError('CANCELLED', 'canceled: no file was written');
  }
}
