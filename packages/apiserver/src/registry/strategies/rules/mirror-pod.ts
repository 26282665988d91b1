import type { ApiObject, IncomingObject } from '../../objects/api-object.js';

/** The annotation of a mirror Pod, which represents a static Pod of a node. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Whether a Pod is a mirror Pod. */
export function isMirrorPod({ metadata }: ApiObject | IncomingObject): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined;
}
