import { KubewrightError, valueText } from '@kubewright/api/errors';
import { isObject } from '@kubewright/api/json';
import { dns1123SubdomainErrors, labelValueErrors, qualifiedNameErrors } from '@kubewright/api/names';
import { isQuantity } from '@kubewright/api/quantity';

/** A taint of a node. */
export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** A node that the server simulates. */
export interface NodeDeclaration {
  /** The name. @default 'embedded' for the first node, 'embedded-2' for the second, and so on */
  readonly name?: string;
  /** Labels in addition to the labels of every node, such as `kubernetes.io/hostname`. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default none */
  readonly taints?: readonly NodeTaint[];
  /**
   * The resources, which are also the allocatable resources. Resources that are not listed have their defaults. @default
   * { cpu: '1k', memory: '1Ti', pods: '1M', 'ephemeral-storage': '1Ti' }
   */
  readonly capacity?: Readonly<Record<string, string>>;
}

/** The nodes that the server simulates: their number, or a list of nodes. */
export type Nodes = number | readonly NodeDeclaration[];

/** A node with its defaults. */
export type ResolvedNode = Required<NodeDeclaration>;

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const fields = ['capacity', 'labels', 'name', 'taints'];
const mostNodes = 1000;
const defaultCapacity = { cpu: '1k', memory: '1Ti', pods: '1M', 'ephemeral-storage': '1Ti' };

/** Applies the defaults. Throws INVALID_OPTION for nodes that are not valid. The error names the valid choices. */
export function resolveNodes(nodes: Nodes, path = 'nodes'): readonly ResolvedNode[] {
  if (typeof nodes === 'number') {
    if (!Number.isInteger(nodes) || nodes < 1 || nodes > mostNodes) {
      throw invalid(path, nodes, `an integer from 1 to ${mostNodes}, or a list of nodes`);
    }
    return Array.from({ length: nodes }, (_, at) => resolved({}, at));
  }
  if (!Array.isArray(nodes) || nodes.length === 0) throw invalid(path, nodes, 'a list of at least one node');
  const names = new Set<string>();
  return nodes.map((node: NodeDeclaration, at) => {
    check(node, `${path}[${at}]`);
    const { name, ...rest } = resolved(node, at);
    if (names.has(name)) throw invalid(`${path}[${at}].name`, name, 'a name that no other node has');
    names.add(name);
    return { name, ...rest };
  });
}

function resolved({ name, labels = {}, taints = [], capacity = {} }: NodeDeclaration, at: number): ResolvedNode {
  const own = at === 0 ? 'embedded' : `embedded-${at + 1}`;
  return { name: name ?? own, labels, taints, capacity: { ...defaultCapacity, ...capacity } };
}

function check(node: NodeDeclaration, path: string): void {
  checkFields(node, fields, path);
  const { name, labels = {}, taints = [], capacity = {} } = node;
  if (name !== undefined && (typeof name !== 'string' || dns1123SubdomainErrors(name).length > 0)) {
    throw invalid(`${path}.name`, name, 'a DNS subdomain, such as node-1');
  }
  for (const [key, value] of entries(labels, `${path}.labels`)) {
    const errors = [...qualifiedNameErrors(key), ...labelValueErrors(String(value))];
    if (typeof value !== 'string' || errors.length > 0) {
      throw invalid(`${path}.labels.${key}`, value, 'a label, such as disk: ssd');
    }
  }
  for (const [resource, amount] of entries(capacity, `${path}.capacity`)) {
    if (!isQuantity(String(amount))) throw invalid(`${path}.capacity.${resource}`, amount, "a quantity, such as '4Gi'");
  }
  if (!Array.isArray(taints)) throw invalid(`${path}.taints`, taints, 'a list of taints with key, value and effect');
  for (const [at, taint] of taints.entries()) {
    const own = `${path}.taints[${at}]`;
    checkFields(taint, ['effect', 'key', 'value'], own);
    const { key, value, effect } = taint as NodeTaint;
    if (typeof key !== 'string' || qualifiedNameErrors(key).length > 0) {
      throw invalid(`${own}.key`, key, 'a label key, such as example.com/gpu');
    }
    if (value !== undefined && (typeof value !== 'string' || labelValueErrors(value).length > 0)) {
      throw invalid(`${own}.value`, value, 'a label value');
    }
    if (!effects.includes(effect)) throw invalid(`${own}.effect`, effect, effects.join(', '));
  }
}

function checkFields(value: unknown, known: readonly string[], path: string): void {
  const unknown = entries(value, path).find(([name]) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `cannot simulate nodes: unknown field ${path}.${unknown[0]}; use ${known.join(', ')}`;
  throw new KubewrightError('INVALID_OPTION', message);
}

function entries(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (!isObject(value)) throw invalid(path, value, 'an object');
  return Object.entries(value);
}

function invalid(path: string, value: unknown, choices: string): KubewrightError {
  return new KubewrightError('INVALID_OPTION', `cannot simulate nodes: ${path} is ${valueText(value)}; use ${choices}`);
}
