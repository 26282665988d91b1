import { loadMessages, ProtobufEncoder } from '@kubewright/api/protobuf';

/** Encodes frames of a watch of Pods in JSON, one frame per line, as protobuf frames. */
export type Encoder = (frames: readonly Buffer[]) => Promise<readonly Buffer[]>;

interface Frame {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Encodes frames of Pods with the encoder of Kubewright, which writes the same bytes as Kubernetes. */
export const encodePods: Encoder = async (frames) => {
  const pod = (await loadMessages('v1'))?.type('Pod');
  if (pod === undefined) throw new Error('there is no protobuf message for Pods');
  const encoder = new ProtobufEncoder();
  return frames.map((frame) => {
    const { type, object } = JSON.parse(frame.toString()) as Frame;
    const enveloped = encoder.enveloped(encoder.message(pod, object), { apiVersion: 'v1', kind: 'Pod' });
    return encoder.event(type, enveloped);
  });
};
