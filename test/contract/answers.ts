import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * One request and the response of the server, or one request that the server sent to a webhook, without values that differ between runs.
 */
export interface Exchange {
  readonly request: string;
  /** Undefined for a request to a webhook, whose body is `body`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly events?: readonly unknown[];
}

/** The exchanges of a case, in order. */
export type Recorded = readonly Exchange[];

/** Reads the recorded responses of a real server to the cases of an area, by title. Empty before the first recording. */
export function readAnswers(area: string): Readonly<Record<string, Recorded>> {
  const path = answersPath(area);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Recorded>) : {};
}

/** Writes the responses of an area, one exchange per line, so that a diff shows the changes. */
export function writeAnswers(area: string, answers: Readonly<Record<string, Recorded>>): void {
  const cases = Object.entries(answers).map(([title, exchanges]) => {
    const lines = exchanges.map((exchange) => `    ${JSON.stringify(exchange)}`);
    return `  ${JSON.stringify(title)}: [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]`;
  });
  mkdirSync(fileURLToPath(new URL('.', answersPath(area))), { recursive: true });
  writeFileSync(answersPath(area), `{\n${cases.join(',\n')}\n}\n`);
}

function answersPath(area: string): URL {
  return new URL(`../../contract/answers/${area}.json`, import.meta.url);
}
