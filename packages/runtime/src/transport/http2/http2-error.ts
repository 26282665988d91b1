/** The error codes of HTTP/2. The position of a code is its number. See RFC 9113, section 7. */
const CODES = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
] as const;

/** The name of an error code of HTTP/2. */
export type Http2Code = (typeof CODES)[number];

/** Returns the number of an error code. */
export function numberOf(code: Http2Code): number {
  return CODES.indexOf(code);
}

/** Returns the name of an error code. Returns INTERNAL_ERROR for an unknown number. */
export function codeOf(number: number): Http2Code {
  return CODES[number] ?? 'INTERNAL_ERROR';
}

/**
 * The error of a server that violates HTTP/2 or exceeds a limit. If only one request is affected, this request fails. Otherwise, the client
 * closes the connection.
 */
export class Http2Error extends Error {
  /** The code that the client reports to the server. */
  readonly code: Http2Code;

  constructor(code: Http2Code, message: string) {
    super(message);
    this.name = 'Http2Error';
    this.code = code;
  }
}

/** Returns the error of a server that violates HTTP/2. `what` describes what the server sent. */
export function violation(what: string): Http2Error {
  return new Http2Error('PROTOCOL_ERROR', `the server violated HTTP/2: it sent ${what}`);
}
