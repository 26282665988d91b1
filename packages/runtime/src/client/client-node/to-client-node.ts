import { isJsonObject } from '@kubewright/api/json';
import { isModelClass, type ModelClass } from './model-fields.js';

/**
 * Converts an object of Kubewright to a model of client-node, for the API classes of client-node. Times become `Date` or `V1MicroTime`
 * objects, and fields get their model names (`_from` instead of `from`). Loads the package @kubernetes/client-node.
 *
 * @example
 * import { CoreV1Api, V1Pod } from '@kubernetes/client-node';
 * import { toClientNode } from '@kubewright/runtime';
 *
 * await core.replaceNamespacedPod({ name, namespace, body: await toClientNode(V1Pod, pod) });
 */
export async function toClientNode<M extends object>(model: ModelClass<M>, object: object): Promise<M> {
  const library: Readonly<Record<string, unknown>> = await import('@kubernetes/client-node');
  return modelOf(model, object, library) as M;
}

function modelOf(model: ModelClass, value: unknown, library: Readonly<Record<string, unknown>>): unknown {
  if (!isJsonObject(value)) return value;
  const instance = new model() as Record<string, unknown>;
  for (const { name, baseName, type } of model.getAttributeTypeMap()) {
    if (value[baseName] !== undefined) instance[name] = valueOf(type, value[baseName], library);
  }
  return instance;
}
/**
 * Converts a value to the type with the given name, such as 'Date', 'V1Container', 'Array<V1Container>' or '{ [key: string]: string; }'.
 */
function valueOf(type: string, value: unknown, library: Readonly<Record<string, unknown>>): unknown {
  const item = /^(?:Array|Set)<(?<item>.*)>$/.exec(type)?.groups?.['item'];
  if (item !== undefined) return Array.isArray(value) ? value.map((each) => valueOf(item, each, library)) : value;
  const member = /^\{ \[key: string\]: (?<member>.*); \}$/.exec(type)?.groups?.['member'];
  if (member !== undefined && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, valueOf(member, each, library)]));
  }
  const known = type === 'Date' ? Date : library[type];
  if (isModelClass(known)) return modelOf(known, value, library);
  const isTime = typeof value === 'string' && (known === Date || type === 'V1MicroTime');
  return isTime ? new (known as typeof Date)(value) : value;
}
