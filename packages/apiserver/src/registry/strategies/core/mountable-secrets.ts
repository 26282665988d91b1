import type { ApiObject, JsonObject } from '../../objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import { enforcedAnnotation } from './service-account.js';

/** A place in a Pod that references a Secret, in the words of an error, and the name of the Secret. */
type Reference = readonly [place: string, name: string];

/**
 * Returns the error about a Secret that the ServiceAccount does not reference, or undefined. Checks the volumes, the variables and the
 * image pull secrets of a new Pod.
 */
export function secretsError(account: ApiObject, spec: JsonObject): string | undefined {
  const volumes = objectsAt(spec, 'volumes')
    .filter((volume) => volume['secret'] !== undefined)
    .map((volume): Reference => ['volume with', stringAt(volume, 'secret', 'secretName')]);
  const references = [
    ...volumes,
    ...variablesOf(spec, 'initContainers', 'init container'),
    ...variablesOf(spec, 'containers', 'container'),
  ];
  return unreferenced(account, references) ?? pullSecretsError(account, spec);
}

/** Returns the error about a Secret in the variables of an ephemeral container that the ServiceAccount does not reference, or undefined. */
export function ephemeralSecretsError(account: ApiObject, spec: JsonObject): string | undefined {
  return unreferenced(account, variablesOf(spec, 'ephemeralContainers', 'ephemeral container'));
}

function variablesOf(spec: JsonObject, field: string, kind: string): readonly Reference[] {
  return objectsAt(spec, field).flatMap((container) => {
    const who = `${kind} ${stringAt(container, 'name')} with`;
    const variables = objectsAt(container, 'env').flatMap((variable): readonly Reference[] => {
      if (objectAt(variable, 'valueFrom')['secretKeyRef'] === undefined) return [];
      const name = stringAt(variable, 'valueFrom', 'secretKeyRef', 'name');
      return [[`${who} envVar ${stringAt(variable, 'name')} referencing`, name]];
    });
    const sources = objectsAt(container, 'envFrom').flatMap((source): readonly Reference[] =>
      source['secretRef'] === undefined ? [] : [[`${who} envFrom referencing`, stringAt(source, 'secretRef', 'name')]],
    );
    return [...variables, ...sources];
  });
}

function unreferenced(account: ApiObject, references: readonly Reference[]): string | undefined {
  const allowed = namesIn(account, 'secrets');
  const found = references.find(([, name]) => !allowed.has(name));
  if (found === undefined) return undefined;
  const [place, name] = found;
  const why = `service account ${account.metadata.name} does not reference that secret`;
  return `${place} secret.secretName="${name}" is not allowed because ${why}`;
}

function pullSecretsError(account: ApiObject, spec: JsonObject): string | undefined {
  const allowed = namesIn(account, 'imagePullSecrets');
  const names = objectsAt(spec, 'imagePullSecrets').map((secret) => stringAt(secret, 'name'));
  const at = names.findIndex((name) => !allowed.has(name));
  if (at < 0) return undefined;
  const why = `service account ${account.metadata.name} does not reference that imagePullSecret`;
  return `imagePullSecrets[${at}].name="${names[at]}" is not allowed because ${why}`;
}

/** Whether the annotation of the ServiceAccount has a value that Go parses as true. */
export function enforcesMountableSecrets({ metadata: { annotations } }: ApiObject): boolean {
  return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(annotations?.[enforcedAnnotation] ?? '');
}

function namesIn(account: ApiObject, field: string): ReadonlySet<string> {
  return new Set(objectsAt(account, field).map((reference) => stringAt(reference, 'name')));
}
