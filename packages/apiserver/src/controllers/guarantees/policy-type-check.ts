import type { Steps } from '@kubewright/api/apply';
import { type CheckedKind, functionTable, PolicyTypeChecker } from '@kubewright/api/cel';
import { append } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import type { Registry } from '../../registry/registry.js';
import { exposedSchema } from './exposed-schema.js';

/**
 * The maximum number of kinds that are checked for one rule. After a rule with at least this number of kinds, Kubernetes ignores the
 * remaining rules of the policy.
 */
const mostKinds = 10;
const functions = functionTable();

/** A warning in the status of a policy. */
export interface ExpressionWarning {
  /** The path of the expression, such as `spec.validations[0].expression`. */
  readonly fieldRef: string;
  readonly warning: string;
}

/**
 * Checks the validations of a ValidatingAdmissionPolicy with the schemas of the kinds that its rules name, in steps. As in Kubernetes,
 * skips rules with wildcards, subresources, and kinds that the server does not serve.
 * @param unique a number that makes the names of the types unique
 */
export function* expressionWarnings(
  policy: ApiObject,
  registry: Registry,
  unique: number,
): Steps<readonly ExpressionWarning[]> {
  const spec = objectAt(policy, 'spec');
  const expressions = objectsAt(spec, 'validations').flatMap((validation, at) =>
    (['expression', 'messageExpression'] as const).flatMap((field) => {
      const source = stringAt(validation, field);
      return source === '' ? [] : [{ fieldRef: `spec.validations[${at}].${field}`, source }];
    }),
  );
  const texts = expressions.map((): string[] => []);
  for (const kind of checkedKinds(spec, registry)) {
    const checker = checkerOf(kind, { spec, registry, unique });
    yield;
    for (const [at, { source }] of expressions.entries()) {
      const errors = checker.errors(source);
      if (errors !== undefined) texts[at]?.push(`${kind.group}/${kind.version}, Kind=${kind.kind}: ${errors}\n`);
      yield;
    }
  }
  return expressions.flatMap(({ fieldRef }, at) => {
    const warning = (texts[at] ?? []).join('\n');
    return warning === '' ? [] : [{ fieldRef, warning }];
  });
}

function checkerOf(
  kind: ResourceDefinition,
  { spec, registry, unique }: { readonly spec: JsonObject; readonly registry: Registry; readonly unique: number },
): PolicyTypeChecker {
  const { apiVersion = '', kind: paramKind = '' } = objectAt(spec, 'paramKind') as Record<string, string>;
  // The objects and the parameters have different types, even if they have the same kind.
  const object = checkedKind(kind.kind, kind, 2 * unique);
  const params =
    paramKind === '' ? undefined : checkedKind(paramKind, registry.findKind(apiVersion, paramKind), 2 * unique + 1);
  const checker = new PolicyTypeChecker({ object, params, functions });
  for (const variable of objectsAt(spec, 'variables')) {
    checker.declare(stringAt(variable, 'name'), stringAt(variable, 'expression'));
  }
  return checker;
}

function checkedKind(name: string, definition: ResourceDefinition | undefined, unique: number): CheckedKind {
  const schema: StructuralSchema | undefined = definition === undefined ? undefined : exposedSchema(definition);
  return { name: `${name}${unique}`, schema };
}

/** Returns the kinds that the rules of a policy name, sorted by group, version and kind. */
function checkedKinds(spec: JsonObject, registry: Registry): readonly ResourceDefinition[] {
  const found = new Map<string, ResourceDefinition>();
  for (const rule of objectsAt(spec, 'matchConstraints', 'resourceRules')) {
    const kinds = kindsOf(rule, registry);
    for (const kind of kinds.slice(0, mostKinds)) found.set(`${kind.apiVersion} ${kind.kind}`, kind);
    if (kinds.length >= mostKinds) break;
  }
  return [...found.values()].toSorted(
    (a, b) => order(a.group, b.group) || order(a.version, b.version) || order(a.kind, b.kind),
  );
}

function kindsOf(rule: JsonObject, registry: Registry): readonly ResourceDefinition[] {
  const [groups, versions] = [textsAt(rule, 'apiGroups'), textsAt(rule, 'apiVersions')];
  if ([...groups, ...versions].some((text) => text.includes('*'))) return [];
  const resources = textsAt(rule, 'resources').filter((resource) => !/[*/]/.test(resource));
  const kinds: ResourceDefinition[] = [];
  for (const group of groups.toSorted(order)) {
    for (const version of versions.toSorted(order)) {
      for (const resource of resources.toSorted(order)) append(kinds, named({ group, version, resource }, registry));
    }
  }
  return kinds;
}

/**
 * Returns the served kinds of a resource. As in Kubernetes, the name can be singular, and the core group selects the kinds of all groups.
 */
function named(
  { group, version, resource }: { readonly group: string; readonly version: string; readonly resource: string },
  registry: Registry,
): readonly ResourceDefinition[] {
  const name = resource.toLowerCase();
  return registry.all().filter((kind) => {
    const isOfGroup = group === '' || kind.group === group;
    return isOfGroup && kind.version === version && (kind.plural === name || kind.singular === name);
  });
}

function order(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
