import type { ContractApi } from './contract-api.js';
import { change, install, widgets, widgetsOf } from './custom-kinds.js';

/** A validation rule of a schema. */
export type Rule = Readonly<Record<string, unknown>> & { readonly rule: string };
/** A schema of a CustomResourceDefinition. */
export type Schema = Readonly<Record<string, unknown>>;

/** Returns the schema of a kind whose spec has the given rules and properties. */
export function ruledSchema(rules: readonly Rule[], properties: Schema = specProperties): Schema {
  const spec = { type: 'object', properties, 'x-kubernetes-validations': rules };
  return { type: 'object', properties: { spec } };
}

const name = { type: 'string', maxLength: 63 };

/** The properties of the spec unless a case defines others. */
export const specProperties: Schema = {
  size: { type: 'integer' },
  name,
  names: { type: 'array', maxItems: 10, items: name },
  tags: { type: 'array', maxItems: 10, 'x-kubernetes-list-type': 'set', items: name },
  labels: { type: 'object', maxProperties: 10, additionalProperties: name },
};

/** Returns the definition of Widget with one version that has the schema. */
export function ruledWidgets(api: ContractApi, schema: Schema, more: object = {}): object {
  return widgets(api, { versions: [ruledVersion(schema, more)] });
}

/** Returns a version with the schema. */
export function ruledVersion(schema: Schema, more: object = {}): object {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

/** Installs the definition of Widget with the schema. */
export function installRuled(api: ContractApi, schema: Schema, more: object = {}): Promise<void> {
  return install(api, ruledWidgets(api, schema, more));
}

/** Returns a Widget. */
export function widget(spec: object, metadata: object = { name: 'a' }): object {
  return { metadata, spec };
}

/** Creates a Widget and compares the response. */
export async function create(api: ContractApi, spec: object): Promise<void> {
  await api.post(widgetsOf(api), { ...typed(api), ...widget(spec) }, { only: reported });
}

/** Creates a Widget that following requests need, without comparing the response. */
export async function prepare(api: ContractApi, spec: object): Promise<void> {
  await api.post(widgetsOf(api), { ...typed(api), ...widget(spec) }, { quiet: true });
}

/** Replaces the spec of a Widget. */
export async function update(api: ContractApi, spec: object, more: object = {}): Promise<void> {
  const path = `${widgetsOf(api)}/a`;
  const { body } = await api.get(path, { quiet: true });
  await api.put(path, { ...body, spec, ...more }, { only: reported });
}

/** The compared paths of a response: the fields of an error, or the state of the object. */
export const reported: readonly string[] = ['spec', 'status', 'message', 'reason', 'details', 'code'];

/** Returns the apiVersion and the kind of a Widget. */
export function typed(api: ContractApi): object {
  return { apiVersion: `${api.group}/v1`, kind: 'Widget' };
}

/**
 * Changes the schema and waits until the server validates new Widgets with it: until it rejects `refused`, which the old schema allowed.
 */
export async function tighten(api: ContractApi, schema: Schema, refused: object): Promise<void> {
  await change(api, { versions: [ruledVersion(schema)] }, { quiet: true });
  const probe = { ...typed(api), ...widget(refused, { name: 'probe' }) };
  const ask = (): ReturnType<ContractApi['post']> => api.post(`${widgetsOf(api)}?dryRun=All`, probe, { quiet: true });
  await api.eventually('the changed schema', ask, ({ status }) => status === 422);
}
