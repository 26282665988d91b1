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
  /** The source of NO_COLOR, FORCE_COLOR, and TERM. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Writes the output of commands: results to the standard output, and progress and errors to the standard error. With `--json`, the standard
 * output is exactly one JSON document. Colors are used only on a terminal. FORCE_COLOR enables colors elsewhere, and takes precedence over
 * NO_COLOR, which disables colors. `--no-color` always disables colors.
 */
export class Output {
  readonly #options: OutputOptions;
  #isJson = false;
  #isColored = true;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Whether `--json` is given; `line` then writes nothing. */
  get isJson(): boolean {
    return this.#isJson;
  }
  /** Whether the standard output is a terminal. */
  get isTerminal(): boolean {
    return this.#options.stdout.isTTY === true;
  }
  /** Styles for `line`. They return plain text if colors are disabled. */
  get styles(): Styles {
    return this.#stylesOf(this.#options.stdout);
  }
  /** Styles for `note` and `error`. */
  get errorStyles(): Styles {
    return this.#stylesOf(this.#options.stderr);
  }
  /** Applies the options. `CommandContext` calls this method before each command. */
  choose({ json, color }: { readonly json: boolean; readonly color: boolean }): void {
    this.#isJson = json;
    this.#isColored = color;
  }

  /** Writes a line of the result to the standard output; nothing with `--json`. @param text may contain several lines. @default '' */
  line(text = ''): void {
    if (!this.#isJson) this.#options.stdout.write(`${text}\n`);
  }
  /** Writes text for another program, such as a script or a manifest, to the standard output. */
  text(text: string): void {
    this.#options.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }
  /** Writes the JSON document if `--json` is given. Call this method once. */
  json(value: unknown): void {
    if (this.#isJson) this.#options.stdout.write(`${stringifyJson(value, { indent: 2 })}\n`);
  }
  /** Writes a line about progress to the standard error. Masks credentials, such as those in warnings of a server. */
  note(text: string): void {
    this.#options.stderr.write(`${maskText(text)}\n`);
  }
  /** Writes a line about an error to the standard error. Masks credentials. */
  error(text: string): void {
    this.#options.stderr.write(`${maskText(text)}\n`);
  }

  #stylesOf(stream: OutputStream): Styles {
    return this.#isColored && wantsColor(stream, this.#options.env) ? styles : plain;
  }
}

function wantsColor(stream: OutputStream, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return stream.isTTY === true && TERM !== 'dumb';
}
