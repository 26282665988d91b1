import type { Status } from '@kubewright/api/errors';

/** Where a streamed answer goes. Writing after the other side has left does nothing. */
export interface AnswerStream {
  write(text: string | Uint8Array): void;
  /** Whether much of what was written still waits for the client. A writer with much to write then waits for `onDrain`. */
  readonly isFull: boolean;
  /** Calls the listener each time when the stream is not full any more. */
  onDrain(listener: () => void): void;
  end(): void;
  /** Ends the connection at once, without what still waits for the client. */
  abort(): void;
  /** Ends the connection as a broken network would. */
  cut(): void;
  /** Calls back once when the stream is over, whoever ended it. */
  onClose(listener: () => void): void;
}

/** A list, whose values the server reads and writes one by one. */
export interface ListBody {
  /** The fields of the answer except the list. */
  readonly head: object;
  /** The name of the list. */
  readonly field: 'items' | 'rows';
  readonly values: Iterable<unknown>;
}

/** What a handler answers with; the server turns it into HTTP. */
export type Answer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'list';
      readonly body: ListBody;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'text';
      readonly status: number;
      /** Bytes for types that are no text. */
      readonly text: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stream';
      readonly headers?: Readonly<Record<string, string>>;
      /** Called once the head of the answer is sent. */
      readonly run: (stream: AnswerStream) => void;
    }
  | { readonly kind: 'cut' };

/** A JSON answer; 200 unless said otherwise. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'json', status, body, headers };
}

/** A plain text answer; 200 unless said otherwise. */
export function text(content: string, status = 200): Answer {
  return { kind: 'text', status, text: content };
}

/** The answer of a path that nobody serves. */
export function notFoundPage(): Answer {
  return { kind: 'text', status: 404, text: '404 page not found\n', headers: { 'x-content-type-options': 'nosniff' } };
}

/** The answer that carries a Status, with Retry-After where it has one. */
export function statusAnswer(status: Status): Answer {
  const seconds = status.details?.retryAfterSeconds;
  return json(status, status.code, seconds === undefined ? {} : { 'retry-after': String(seconds) });
}
