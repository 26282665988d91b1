import type { Logger } from '../log/logger.js';

/** How many texts are remembered, so that a server with ever new warnings does not fill the memory. */
const MAX_REMEMBERED = 1000;
const WARNING = /299\s+\S+\s+"((?:[^"\\]|\\.)*)"/g;

/** Logs the Warning headers of answers, each text once. */
export class WarningLog {
  readonly #logger: Logger | undefined;
  readonly #seen = new Set<string>();

  constructor(logger: Logger | undefined) {
    this.#logger = logger;
  }

  /** Takes the header as Node gives it; what is no `299 - "text"` is ignored. With a handler nothing is logged, and it gets every one. */
  note(
    header: string | readonly string[] | undefined,
    attempted: string,
    handler: (warning: string) => void = (warning) => this.#log(warning, attempted),
  ): void {
    if (header === undefined) return;
    const text = typeof header === 'string' ? header : header.join(', ');
    for (const match of text.matchAll(WARNING)) handler((match[1] ?? '').replace(/\\(.)/g, '$1'));
  }

  #log(warning: string, attempted: string): void {
    if (this.#logger === undefined || this.#seen.has(warning)) return;
    if (this.#seen.size >= MAX_REMEMBERED) this.#seen.clear();
    this.#seen.add(warning);
    this.#logger.warn('the API server warns', { warning, attempted });
  }
}
