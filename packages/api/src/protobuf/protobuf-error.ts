/** Thrown for bytes that are not a valid message. The message contains the name of the message and the position, but no values. */
export class MalformedProtobufError extends Error {
  override readonly name = 'MalformedProtobufError';
}

/**
 * Thrown for a valid message that cannot be converted to the JSON of the API server, for example because a newer API server has added a
 * field. The caller can request JSON.
 */
export class UnsupportedProtobufError extends Error {
  override readonly name = 'UnsupportedProtobufError';
}
