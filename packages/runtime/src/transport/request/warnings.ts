import { maskText } from '@kubewright/api/secrets';
import type { Logger } from '../../log/logger.js';

/** The maximum number of warnings to remember. Limits the memory if a server sends many different warnings. */
const MAX_REMEMBERED = 1000;
const WARNING = /(?:^|[\s,])299\s+(\S+)\s+"((?:[^"\\]|\\.)*)"/g;

/** The origin of a warning. */
export interface WarningContext {
  /** The name of the agent that sent the warning, usually '-'. */
  readonly agent: string;
  /** The request that resulted in the warning, such as 'create pod default/web'. */
  readonly attempted: string;
}

/**
 * Called with the text of each header `Warning: 299 - "text"` in a response, in the order of the headers. Credentials in the text are
 * masked.
 */
export type WarningHandler = (warning: string, context: WarningContext) => void;

interface Warning {
  readonly text: string;
  readonly context: WarningContext;
}

/**
 * Returns the warnings in a header with the form `299 <agent> "<text>"`. Masks credentials in the texts. Ignores headers with other forms.
 */
export function warningsOf(header: string | readonly string[] | undefined, attempted: string): readonly Warning[] {
  if (header === undefined) return [];
  const text = typeof header === 'string' ? header : header.join(', ');
  return [...text.matchAll(WARNING)].map(([, agent = '-', quoted = '']) => ({
    text: maskText(quoted.replace(/\\(.)/g, '$1')),
    context: { agent, attempted },
  }));
}

/** Logs each warning once. After `MAX_REMEMBERED` different warnings, forgets which warnings were logged. */
export class WarningLog {
  readonly #logger: Logger;
  readonly #seen = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  readonly note: WarningHandler = (text, { attempted }) => {
    if (this.#seen.has(text)) return;
    if (this.#seen.size >= MAX_REMEMBERED) this.#seen.clear();
    this.#seen.add(text);
    this.#logger.warn('warning from the API server', { warning: text, attempted });
  };
}
