import type { ToolsWrapper } from '../project/project-tools.js';
import { ExitCode } from './exit-codes.js';
import { Output, type OutputStream } from './output.js';

/** The process environment that a `CommandContext` wraps. Tests replace the streams and variables of the process. */
export interface CommandEnvironment {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether stdin and stdout are terminals, so that a user can answer questions. @default false */
  readonly terminal?: boolean;
  /** Aborts long-running commands. @default a signal that never aborts */
  readonly signal?: AbortSignal;
  /** Replaces or wraps the tools that compile and inspect projects. @default the tools are used unchanged */
  readonly wrapTools?: ToolsWrapper;
}

/** The options that several commands share. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly yes?: boolean;
  readonly verbose?: boolean;
}

/** The environment of a command. Commands access the process only through this object. */
export class CommandContext {
  readonly output: Output;
  /** The current folder of the caller. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the command must end. Pass the signal to every long-running operation. */
  readonly signal: AbortSignal;
  /** Replaces the tools that `projectTools` returns. */
  readonly wrapTools: ToolsWrapper | undefined;
  readonly #terminal: boolean;
  #options: GlobalOptions = {};
  #exitCode: number = ExitCode.done;

  constructor({ cwd, env, stdout, stderr, terminal = false, signal, wrapTools }: CommandEnvironment) {
    this.output = new Output({ stdout, stderr, env });
    this.cwd = cwd;
    this.env = env;
    this.signal = signal ?? new AbortController().signal;
    this.wrapTools = wrapTools;
    this.#terminal = terminal && !isSet(env['CI']);
  }

  /**
   * Whether the command may ask questions: stdin and stdout are terminals, the variable CI is unset, empty, `false` or `0`, and neither
   * `--yes` nor `--json` is given.
   */
  get interactive(): boolean {
    return this.#terminal && this.#options.yes !== true && this.#options.json !== true;
  }
  /** Whether `--yes` is given, which answers all questions with yes. */
  get agreed(): boolean {
    return this.#options.yes === true;
  }
  /** Whether `--verbose` is given, which adds details such as the stack of an error. */
  get verbose(): boolean {
    return this.#options.verbose === true;
  }
  /** The exit code of the process after the command has returned. */
  get exitCode(): number {
    return this.#exitCode;
  }
  /** Sets the exit code of a command that does not throw, such as `ExitCode.no` or the exit code of a child process. */
  exitWith(code: number): void {
    this.#exitCode = code;
  }
  /** Applies the options. The program calls this method before it runs a command. */
  handle(options: GlobalOptions): void {
    this.#options = options;
    this.output.choose({ json: options.json === true, color: options.color !== false });
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
