import { stringifyJson } from '@kubewright/api/json';
import { maskText } from '@kubewright/api/secrets';
import { plain, type Styles, styles } from './styles.js';

/** A stream for text, such as `process.stdout`. */
export interface OutputStream {
  write(text: string): unknown;
  /** Whether the stream is a terminal. */
  readonly isTTY?: boolean;
}

/** The streams and the environment of an `Output`. */
export interface OutputOptions {
  /** The stream for results. */
  readonly stdout: OutputStream;
  /** The stream for progress and errors. */
  readonly stderr: OutputStream;
  /** The environment variables. `Output` reads NO_COLOR, FORCE_COLOR, and TERM. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Writes the output of commands: results to the standard output, and progress and errors to the standard error. With `--json`, the standard
 * output is exactly one JSON document. `--no-color` disables colors. Otherwise, FORCE_COLOR enables colors, or disables colors if the value
 * is 0 or false. Otherwise, a non-empty NO_COLOR disables colors. Without these settings, colors are enabled on terminals, unless TERM is
 * dumb.
 */
export class Output {
  readonly #options: OutputOptions;
  #isJson = false;
  #isColored = true;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Whether `--json` is given. With `--json`, `line` writes nothing. */
  get isJson(): boolean {
    return this.#isJson;
  }
  /** Whether the standard output is a terminal. */
  get isTerminal(): boolean {
    return this.#options.stdout.isTTY === true;
  }
  /** The styles for the text of `line`. If colors are disabled, the styles return the text unchanged. */
  get styles(): Styles {
    return this.#stylesOf(this.#options.stdout);
  }
  /** The styles for the text of `note` and `error`. If colors are disabled, the styles return the text unchanged. */
  get errorStyles(): Styles {
    return this.#stylesOf(this.#options.stderr);
  }
  /** Whether `status` shows its text: the standard error is a terminal that can clear a line. */
  get showsStatus(): boolean {
    const { stderr, env } = this.#options;
    return stderr.isTTY === true && env['TERM'] !== 'dumb';
  }
  /** Applies `--json` and `--no-color`. `CommandContext` calls this method before a command runs. */
  choose({ json, color }: { readonly json: boolean; readonly color: boolean }): void {
    this.#isJson = json;
    this.#isColored = color;
  }

  /** Writes one or more lines of the result to the standard output. With `--json`, writes nothing. @default '' */
  line(text = ''): void {
    if (!this.#isJson) this.#options.stdout.write(`${text}\n`);
  }
  /** Writes text for another program, such as a script or a manifest, to the standard output, even with `--json`. */
  text(text: string): void {
    this.#options.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }
  /** Writes the value as a JSON document if `--json` is given. Call this method once per command. */
  json(value: unknown): void {
    if (this.#isJson) this.#options.stdout.write(`${stringifyJson(value, { indent: 2 })}\n`);
  }
  /** Writes a line about progress to the standard error. Masks credentials, such as tokens in warnings of the API server. */
  note(text: string): void {
    this.#options.stderr.write(`${maskText(text)}\n`);
  }
  /** Writes a line about an error to the standard error. Masks credentials. */
  error(text: string): void {
    this.#options.stderr.write(`${maskText(text)}\n`);
  }

  /** Replaces the last line of a terminal with a text, without a line break. An empty text removes the line. */
  status(text: string): void {
    if (this.showsStatus) this.#options.stderr.write(`\r\u001B[2K${maskText(text)}`);
  }

  #stylesOf(stream: OutputStream): Styles {
    return this.#isColored && supportsColor(stream, this.#options.env) ? styles : plain;
  }
}

function supportsColor(stream: OutputStream, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return stream.isTTY === true && TERM !== 'dumb';
}
