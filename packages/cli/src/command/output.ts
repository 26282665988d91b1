import { stringifyJson } from '@kubewright/api/json';
import { maskText } from '@kubewright/api/secrets';
import { plain, type Styles, styles } from './styles.js';

/** Where text goes, such as `process.stdout`. */
export interface OutputStream {
  write(text: string): unknown;
  /** Whether a person reads it. */
  readonly isTTY?: boolean;
}

/** How an `Output` is to write. */
export interface OutputOptions {
  /** What was asked for. */
  readonly stdout: OutputStream;
  /** Progress and errors. */
  readonly stderr: OutputStream;
  /** Read for NO_COLOR, FORCE_COLOR and TERM. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * All that commands write. What was asked for goes to the standard output, progress and errors to the standard error. With `--json`
 * the standard output is one JSON document and nothing else. Colours are there on a terminal only: FORCE_COLOR asks for them
 * elsewhere, NO_COLOR and `--no-color` against them.
 */
export class Output {
  readonly #options: OutputOptions;
  #isJson = false;
  #isColored = true;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Whether one JSON document is asked for; `line` then writes nothing. */
  get isJson(): boolean {
    return this.#isJson;
  }
  /** Whether what was asked for is read by a person. */
  get isTerminal(): boolean {
    return this.#options.stdout.isTTY === true;
  }
  /** Colours for `line`, which give back plain text where none are wanted. */
  get styles(): Styles {
    return this.#stylesOf(this.#options.stdout);
  }
  /** Colours for `note` and `error`. */
  get errorStyles(): Styles {
    return this.#stylesOf(this.#options.stderr);
  }
  /** Called by the frame when the options are known. */
  choose({ json, color }: { readonly json: boolean; readonly color: boolean }): void {
    this.#isJson = json;
    this.#isColored = color;
  }

  /** A line of what was asked for. Nothing with `--json`. @param text may have several lines. @default '' */
  line(text = ''): void {
    if (!this.#isJson) this.#options.stdout.write(`${text}\n`);
  }
  /** A line of the text that was asked for and that is for a program anyway, such as a script or a manifest. */
  text(text: string): void {
    this.#options.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }
  /** The document of `--json`; nothing without. Call it once. */
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
