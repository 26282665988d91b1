import type { LimitRequest } from './limit-case.js';

/** The size of the largest bodies, slightly below the limit of the server. */
export const mostBytes = 3 * 1024 * 1024 - 1024;
/** The path of ConfigMaps. */
export const configMaps = '/api/v1/namespaces/default/configmaps';
/** The path of the custom resource that `preparing` defines. */
export const things = '/apis/limits.example.com/v1/namespaces/default/things';
/** The media type of JSON. */
export const json = 'application/json';
/** The media type of YAML. */
export const yaml = 'application/yaml';

/** Returns an array of `count` items. */
export const list = <T>(count: number, item: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => item(at));
/** Returns an object with `count` keys that all have the same value. */
export const keys = (count: number, value = 'v') => Object.fromEntries(list(count, (at) => [`k${at}`, value]));
/** Repeats a piece of text up to the size of the largest bodies. */
export const filled = (piece: string): string => piece.repeat(Math.floor(mostBytes / piece.length));

/** Returns a ConfigMap. */
export const configMap = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});
/** Returns an object of the custom resource. */
export const thing = (spec: object) => ({
  apiVersion: 'limits.example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec,
});

/** Returns a request that creates a ConfigMap with the given media type and body. */
export const text = (type: string, body: string): LimitRequest => ({ method: 'POST', path: configMaps, type, body });
/** Returns a request that creates a ConfigMap. */
export const create = (body: object): LimitRequest => text(json, JSON.stringify(body));
/** Returns a request that patches the ConfigMap `a`. */
export const patch = (type: string, body: object): LimitRequest => ({
  method: 'PATCH',
  path: `${configMaps}/a`,
  type,
  body: JSON.stringify(body),
});
/** Returns a server-side apply of the object `a`. */
export const applied = (path: string, body: object, manager = 'a'): LimitRequest => ({
  method: 'PATCH',
  path: `${path}/a?fieldManager=${manager}&force=true`,
  type: 'application/apply-patch+yaml',
  body: JSON.stringify(body),
});

/** The path of CustomResourceDefinitions. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Returns a request that defines a custom resource of the cases. Its spec has the given schema, and its names are derived from the kind.
 */
export function define(kind: string, spec: object): LimitRequest {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    method: 'POST',
    path: definitions,
    type: json,
    body: JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.limits.example.com` },
      spec: {
        group: 'limits.example.com',
        scope: 'Namespaced',
        names: { plural, singular, kind, listKind: `${kind}List` },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    }),
  };
}
