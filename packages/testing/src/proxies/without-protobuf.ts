import { isProtobufType } from '@kubewright/runtime/internal';

/**
 * Returns the media types of an Accept header without protobuf. Returns the header unchanged if it contains no other media type, so that
 * the server determines the response.
 *
 * @example withoutProtobuf('application/vnd.kubernetes.protobuf;stream=watch, application/json'); // 'application/json'
 */
export function withoutProtobuf(accept: string): string {
  const types = accept.split(',').map((type) => type.trim());
  const others = types.filter((type) => !isProtobufType(type));
  return others.length === 0 ? accept : others.join(', ');
}
