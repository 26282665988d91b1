import { ExitCode } from './exit-codes.js';
import { Output, type OutputStream } from './output.js';

/** What a process gives to the command line. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether somebody can answer: both ends are a terminal. @default false */
  readonly terminal?: boolean;
  /** Tells commands that wait to end. @default never */
  readonly signal?: AbortSignal;
}

/** The options that every command has. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly yes?: boolean;
  readonly verbose?: boolean;
}

/** What a command works with: nothing of the process is reached in another way. */
export class CommandContext {
  readonly output: Output;
  /** The folder in which the command was called. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the command is to end: heed it in all that takes long. */
  readonly signal: AbortSignal;
  readonly #terminal: boolean;
  #options: GlobalOptions = {};
  #exitCode: number = ExitCode.done;

  constructor({ cwd, env, stdout, stderr, terminal = false, signal }: Surroundings) {
    this.output = new Output({ stdout, stderr, env });
    this.cwd = cwd;
    this.env = env;
    this.signal = signal ?? new AbortController().signal;
    this.#terminal = terminal && !isSet(env['CI']);
  }

  /** Whether somebody may be asked: there is a terminal, no CI, and neither `--yes` nor `--json`. */
  get interactive(): boolean {
    return this.#terminal && this.#options.yes !== true && this.#options.json !== true;
  }
  /** Whether `--yes` was said: what would be asked is agreed to. */
  get agreed(): boolean {
    return this.#options.yes === true;
  }
  /** Whether more is to be told, such as the stack of an error. */
  get verbose(): boolean {
    return this.#options.verbose === true;
  }
  /** What the process ends with when the command has returned. */
  get exitCode(): number {
    return this.#exitCode;
  }
  /** Sets the exit code of a command that ends without an error, such as `ExitCode.no`, or that of a program which it ran. */
  exitWith(code: number): void {
    this.#exitCode = code;
  }
  /** Called by the frame when the options are known. */
  heed(options: GlobalOptions): void {
    this.#options = options;
    this.output.choose({ json: options.json === true, color: options.color !== false });
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
