import type { JsonObject } from '../../objects/api-object.js';
import { stringAt } from '../../objects/json-object.js';

/**
 * Returns the names of the VolumeAttributesClasses that a PersistentVolumeClaim or a PersistentVolume names: the requested class, and the
 * current and the target class of a claim. The list can contain a name several times.
 */
export function attributesClassesOf(object: JsonObject): readonly string[] {
  return [
    stringAt(object, 'spec', 'volumeAttributesClassName'),
    stringAt(object, 'status', 'currentVolumeAttributesClassName'),
    stringAt(object, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '');
}
