export { type Envelope, EnvelopeReader, hasMagic, MAGIC, PROTOBUF_TYPE } from './protobuf/envelope.js';
export { hasMessages, loadMessages } from './protobuf/load-messages.js';
export type { MessageSet } from './protobuf/message-set.js';
export type { MessageField, MessageType } from './protobuf/message-type.js';
export { ProtobufDecoder, type ProtobufDecoderOptions, type TypeMeta } from './protobuf/protobuf-decoder.js';
export { ProtobufEncoder } from './protobuf/protobuf-encoder.js';
export { MalformedProtobufError, UnsupportedProtobufError } from './protobuf/protobuf-error.js';
export { SharedMessages } from './protobuf/shared-messages.js';
export { WireCursor } from './protobuf/wire-cursor.js';
