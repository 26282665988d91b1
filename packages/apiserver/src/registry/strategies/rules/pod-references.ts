import type { ApiObject, JsonObject } from '../../objects/api-object.js';
import { isObject, objectsAt, stringAt } from '../../objects/json-object.js';

const secretFields = new Set(['azureFile', 'nodePublishSecretRef', 'secret', 'secretKeyRef', 'secretRef']);
const configMapFields = new Set(['configMap', 'configMapRef', 'configMapKeyRef']);

/** Returns the names of the Secrets that the volumes, the variables and the image pull secrets of a Pod reference. */
export function secretsOf(spec: unknown): ReadonlySet<string> {
  const pulled = objectsAt(spec, 'imagePullSecrets').map((secret) => stringAt(secret, 'name'));
  return new Set([...referenced(spec, secretFields), ...pulled.filter((name) => name !== '')]);
}

/** Returns the names of the ConfigMaps that the volumes and the variables of a Pod reference. */
export function configMapsOf(spec: unknown): ReadonlySet<string> {
  return referenced(spec, configMapFields);
}

/** Returns the name of the PersistentVolumeClaim of a volume of a Pod, or ''. */
export function claimOf({ metadata }: ApiObject, volume: JsonObject): string {
  if (volume['ephemeral'] !== undefined) return `${metadata.name}-${stringAt(volume, 'name')}`;
  return stringAt(volume, 'persistentVolumeClaim', 'claimName');
}

/** Returns the names in all references with the given field names. */
function referenced(value: unknown, fields: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    if (!isObject(part)) return;
    for (const [field, child] of Object.entries(part)) {
      const name = fields.has(field) ? stringAt(child, 'secretName') || stringAt(child, 'name') : '';
      if (name !== '') names.add(name);
      visit(child);
    }
  };
  visit(value);
  return names;
}
