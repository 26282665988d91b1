import type { ContractApi } from './contract-api.js';
import { change, install, widgets, widgetsOf } from './custom-kinds.js';

/** A rule of a schema. */
export type Rule = Readonly<Record<string, unknown>> & { readonly rule: string };
/** A schema, as a definition has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schema of a kind whose spec has the rules and the properties given. */
export function ruledSchema(rules: readonly Rule[], properties: Schema = specProperties): Schema {
  const spec = { type: 'object', properties, 'x-kubernetes-validations': rules };
  return { type: 'object', properties: { spec } };
}

const name = { type: 'string', maxLength: 63 };

/** What the spec has unless a case says otherwise. */
export const specProperties: Schema = {
  size: { type: 'integer' },
  name,
  names: { type: 'array', maxItems: 10, items: name },
  tags: { type: 'array', maxItems: 10, 'x-kubernetes-list-type': 'set', items: name },
  labels: { type: 'object', maxProperties: 10, additionalProperties: name },
};

/** The definition of Widget with one version of the schema. */
export function ruledWidgets(api: ContractApi, schema: Schema, more: object = {}): object {
  return widgets(api, { versions: [ruledVersion(schema, more)] });
}

/** The version of the kind that a schema makes. */
export function ruledVersion(schema: Schema, more: object = {}): object {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

/** Installs the definition of Widget with the schema. */
export function installRuled(api: ContractApi, schema: Schema, more: object = {}): Promise<void> {
  return install(api, ruledWidgets(api, schema, more));
}

/** A Widget. */
export function widget(spec: object, metadata: object = { name: 'a' }): object {
  return { metadata, spec };
}

/** Creates a Widget whose answer counts. */
export async function create(api: ContractApi, spec: object): Promise<void> {
  await api.post(widgetsOf(api), { ...typed(api), ...widget(spec) }, { only: told });
}

/** Creates a Widget that is only there for what comes after. */
export async function prepare(api: ContractApi, spec: object): Promise<void> {
  await api.post(widgetsOf(api), { ...typed(api), ...widget(spec) }, { quiet: true });
}

/** Replaces what a Widget is. */
export async function update(api: ContractApi, spec: object, more: object = {}): Promise<void> {
  const path = `${widgetsOf(api)}/a`;
  const { body } = await api.get(path, { quiet: true });
  await api.put(path, { ...body, spec, ...more }, { only: told });
}

/** What is compared of an answer: that of a refusal, or what the object is. */
export const told: readonly string[] = ['spec', 'status', 'message', 'reason', 'details', 'code'];

/** The type of a Widget. */
export function typed(api: ContractApi): object {
  return { apiVersion: `${api.group}/v1`, kind: 'Widget' };
}

/** Changes the schema and waits until new Widgets are judged by it, which `refused` would have passed before. */
export async function tighten(api: ContractApi, schema: Schema, refused: object): Promise<void> {
  await change(api, { versions: [ruledVersion(schema)] }, { quiet: true });
  const probe = { ...typed(api), ...widget(refused, { name: 'probe' }) };
  const ask = (): ReturnType<ContractApi['post']> => api.post(`${widgetsOf(api)}?dryRun=All`, probe, { quiet: true });
  await api.eventually('the changed schema', ask, ({ status }) => status === 422);
}
