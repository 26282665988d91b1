import type { Status } from '@kubewright/api/errors';

/** Where a streamed answer goes. Writing after the other side has left does nothing. */
export interface AnswerStream {
  write(text: string): void;
  end(): void;
  /** Ends the connection as a broken network would. */
  cut(): void;
  /** Calls back once when the stream is over, whoever ended it. */
  onClose(listener: () => void): void;
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
