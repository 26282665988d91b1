/** Structured logs. Values that look like secrets are masked. */
export abstract class Logger {
  abstract debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  abstract info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  abstract warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  abstract error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  abstract with(fields: Readonly<Record<string, unknown>>): Logger;
}
