import type { Duplex } from 'node:stream';
import type { Status } from '@kubewright/api/errors';
import type { Encoding } from './accept.js';

/** The stream of a streamed answer. Writes after the client disconnects have no effect. */
export interface AnswerStream {
  write(text: string | Uint8Array): void;
  /** Whether the buffer for written data is full. If it is full, the writer must wait for `onDrain` before it writes more data. */
  readonly isFull: boolean;
  /** Calls the listener each time the client has received enough of a full buffer. */
  onDrain(listener: () => void): void;
  end(): void;
  /** Ends the connection immediately and discards data that waits for the client. */
  abort(): void;
  /** Breaks the connection after the earlier writes, as a network failure does. */
  cut(): void;
  /** Calls the listener once when the stream ends for any reason. */
  onClose(listener: () => void): void;
}

/** The body of a list. The server reads and writes the values one at a time. */
export interface ListBody {
  /** The fields of the answer except the list. */
  readonly head: object;
  /** The name of the field with the list. */
  readonly field: 'items' | 'rows';
  readonly values: Iterable<unknown>;
  /** Converts a value to the list item or the table row in the response. */
  readonly value: (value: unknown) => unknown;
  /** Returns the JSON of the converted value. */
  readonly text: (value: unknown) => string;
}

/** The headers of a response. A header with a list of values is sent once for each value. */
export type ResponseHeaders = Readonly<Record<string, string | string[]>>;

/** The answer of a handler. The server converts the answer to HTTP. */
export type Answer =
  | {
      readonly kind: 'value';
      readonly status: number;
      readonly body: unknown;
      /** The format of the body. @default JSON; for a Status with an error, the format that the client accepts */
      readonly encoding?: Encoding;
      readonly headers?: ResponseHeaders;
    }
  | {
      readonly kind: 'list';
      readonly body: ListBody;
      readonly encoding: Encoding;
      readonly headers?: ResponseHeaders;
    }
  | {
      readonly kind: 'text';
      readonly status: number;
      /** The body: a string for a text type, or bytes for other content types. */
      readonly text: string | Uint8Array;
      readonly headers?: ResponseHeaders;
    }
  | {
      readonly kind: 'stream';
      /** @default 200 */
      readonly status?: number;
      readonly headers?: ResponseHeaders;
      /** Called after the server sends the headers of the answer. */
      readonly run: (stream: AnswerStream) => void;
    }
  | {
      /** Changes the protocol of the connection. Only for requests with `canUpgrade`. */
      readonly kind: 'upgrade';
      readonly headers: ResponseHeaders;
      /** Serves the connection. Called after the server sends the headers of the answer, with status 101. */
      readonly run: (socket: Duplex) => Promise<void>;
    }
  | { readonly kind: 'cut' };

/** Returns a JSON answer. The default status is 200. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'value', status, body, headers };
}

/** Returns an answer with a document in the given format. The status is 200. */
export function document(body: object, encoding: Encoding): Answer {
  return { kind: 'value', status: 200, body, encoding };
}

/** Returns a plain text answer. The default status is 200. */
export function text(content: string, status = 200): Answer {
  return { kind: 'text', status, text: content };
}

/** Returns the answer for a path that does not exist. */
export function notFoundPage(): Answer {
  return { kind: 'text', status: 404, text: '404 page not found\n', headers: { 'x-content-type-options': 'nosniff' } };
}

/** Returns an answer with a Status, and with a Retry-After header if the Status has `retryAfterSeconds`. */
export function statusAnswer(status: Status): Answer {
  const seconds = status.details?.retryAfterSeconds;
  return json(status, status.code, seconds === undefined ? {} : { 'retry-after': String(seconds) });
}
