import type { CustomResourceOptions } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@kubewright/api/apiextensions/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import { fieldAt } from '@kubewright/api/metadata';
import { wordOf } from './class-words.js';
import { cleanSchema } from './clean-schema.js';
import { commentKeeps } from './comment-lines.js';
import { droppedDetails, type PlannedPart } from './dropped-details.js';
import { ownColumns } from './own-columns.js';
import { keywordsOf, OWN, planClass, unfitParts } from './plan-class.js';
import type { Parts } from './parts.js';
import { newPlanning } from './plan-value.js';
import type { ClassPlan } from './value-plan.js';
import { without } from './without.js';

/** The planned classes of one version of a kind. */
export interface KindPlan {
  readonly spec?: ClassPlan;
  readonly status?: ClassPlan;
  /** The class with the top-level fields other than spec, status, and metadata. */
  readonly topLevel?: ClassPlan;
  /** The class of the kind: the comment, rules, and keywords of the root schema. */
  readonly whole: ClassPlan;
  /** The options of `CustomResource(…)` that are not classes. */
  readonly options: Omit<CustomResourceOptions, 'topLevel'>;
  readonly scale?: ScalePaths;
  readonly selectableFields: readonly string[];
  /** The differences between the original and the generated CustomResourceDefinition, one sentence per difference. */
  readonly differences: readonly string[];
}

/** The paths of the scale subresource. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** One version of a CustomResourceDefinition. */
export interface KindVersion {
  readonly crd: CustomResourceDefinition;
  readonly version: CustomResourceDefinitionVersion;
}

const META = ['apiVersion', 'kind', 'metadata'];

/**
 * Plans the classes of a version.
 * @throws KubewrightError UNSUPPORTED_KIND if no class can express the top-level fields; the message contains the reason
 */
export function planKind({ crd, version }: KindVersion, parts: Parts): KindPlan {
  const { schema: root, unknown } = cleanSchema((version.schema?.openAPIV3Schema ?? {}) as StructuralSchema);
  const planned = plannedParts(root, parts, (construct) => {
    const { kind } = crd.spec.names;
    const place = `${crd.spec.group}/${version.name}`;
    throw new KubewrightError(
      'UNSUPPORTED_KIND',
      `cannot generate classes for ${kind} ${place}: ${construct}; declare the kind with defineKind, or use dynamicKind('${place}', '${kind}')`,
    );
  });
  const { paths, differences } = pathsOf(version, root);
  const shapes = Object.fromEntries(Object.entries(planned).map(([name, { shape }]) => [name, shape] as const));
  return {
    ...shapes,
    whole: wholePlan(root),
    options: optionsOf(root, planned, version.subresources?.status !== undefined),
    ...paths,
    differences: [
      ...differences,
      ...columnDifferences(version),
      ...unknown.map((each) => `${each} is not supported by API servers`),
      ...rootDifferences(root, planned),
      ...descriptionDifferences(root, planned),
      ...droppedDetails(Object.values(planned)),
    ],
  };
}

/** The planned classes of spec, status, and the other top-level fields, each with its schema. */
type PlannedParts = Partial<Record<'spec' | 'status' | 'topLevel', PlannedPart>>;

/**
 * Plans the classes of spec and status, and one class for all other top-level fields. If no class can describe the spec or the status, the
 * class for the other top-level fields contains the spec or the status.
 */
function plannedParts(root: StructuralSchema, parts: Parts, fail: (construct: string) => never): PlannedParts {
  const { properties = {}, required = [] } = root;
  const planning = newPlanning(parts);
  const planned: { [Name in keyof PlannedParts]: PlannedPart } = {};
  const others = Object.fromEntries(Object.entries(properties).filter(([name]) => !META.includes(name)));
  for (const name of ['spec', 'status'] as const) {
    const schema = others[name];
    const shape = schema && planClass(bare(schema), { words: [wordOf(name)], isItem: true }, planning);
    if (schema === undefined || shape === undefined) continue;
    planned[name] = { shape, schema, path: `.${name}` };
    delete others[name];
  }
  const names = Object.keys(others);
  if (names.length === 0) return planned;
  const schema: StructuralSchema = {
    type: 'object',
    properties: others,
    required: required.filter((name) => names.includes(name)),
  };
  const shape = planClass(schema, { words: ['TopLevel'], isItem: false }, planning);
  if (shape === undefined) return fail(unfitParts(schema).join(', and '));
  return { ...planned, topLevel: { shape, schema, path: '' } };
}

/** Returns the schema of a spec or a status without the keywords that a class cannot express. */
function bare(schema: StructuralSchema): StructuralSchema {
  return without(schema, 'default', 'title', 'example', 'nullable');
}

/** Returns the options of `CustomResource(…)`. Omits `specOptional` for a spec with a default, because such a spec is always optional. */
function optionsOf(
  { properties = {}, required = [] }: StructuralSchema,
  planned: PlannedParts,
  statusSubresource: boolean,
): KindPlan['options'] {
  const specDefault = planned.spec && wholeDefault(properties['spec']);
  const statusDefault = planned.status && wholeDefault(properties['status']);
  const hasSubresource = planned.status !== undefined;
  return {
    ...(planned.spec === undefined || required.includes('spec') || specDefault !== undefined
      ? {}
      : { specOptional: true }),
    ...(hasSubresource === statusSubresource ? {} : { statusSubresource }),
    ...(specDefault === undefined ? {} : { specDefault }),
    ...(statusDefault === undefined ? {} : { statusDefault }),
  };
}

/** Returns the default of a spec or a status if it is an object. `specDefault` and `statusDefault` do not support null. */
function wholeDefault(part: StructuralSchema | undefined): object | undefined {
  const fallback = part?.default;
  return typeof fallback === 'object' && fallback !== null ? fallback : undefined;
}

const WHOLE_KEYWORDS = ['title', 'externalDocs'] as const;

function wholePlan(root: StructuralSchema): ClassPlan {
  const rules = (root['x-kubernetes-validations'] ?? []) as ClassPlan['rules'];
  const more = WHOLE_KEYWORDS.flatMap((key) => (root[key] === undefined ? [] : [[key, root[key]] as const]));
  const keywords = { ...keywordsOf(root), ...Object.fromEntries(more) };
  return { words: [], description: root.description, keywords, rules, oneOf: [], fields: [] };
}

function rootDifferences(root: StructuralSchema, planned: PlannedParts): readonly string[] {
  const { properties = {}, required = [] } = root;
  const isRequired = (name: string): boolean =>
    name in (planned.topLevel?.schema.properties ?? {}) ||
    (name === 'spec' && planned.spec !== undefined) ||
    wholeDefault(properties[name]) !== undefined;
  const { metadata } = properties;
  const kept: readonly string[] = [...Object.keys(wholePlan(root).keywords), ...OWN];
  return [
    ...(root.type === 'object' ? [] : ["the schema of the object has the type 'object'"]),
    ...required.filter((name) => !isRequired(name)).map((name) => `.${name} is not required`),
    ...Object.keys(root)
      .filter((key) => !kept.includes(key))
      .map((key) => `the schema of the object does not have '${key}'`),
    ...(metadata !== undefined && metadata.properties !== undefined
      ? ['.metadata has the standard schema; declare rules for names with @Rule']
      : []),
    ...(['spec', 'status'] as const).flatMap((name) => {
      const part = planned[name]?.schema;
      return (['default', 'title', 'example', 'nullable'] as const)
        .filter((key) => part?.[key] !== undefined && (key !== 'default' || wholeDefault(part) === undefined))
        .map((key) => `.${name} has no '${key}'`);
    }),
  ];
}

/** Returns the differences in the descriptions of the kind, spec, status, apiVersion, kind, and metadata. */
function descriptionDifferences(root: StructuralSchema, { spec, status }: PlannedParts): readonly string[] {
  const meta = META.filter((name) => root.properties?.[name]?.description !== undefined).map((name) => `.${name}`);
  const changed = [
    ['the kind', root.description] as const,
    ['.spec', spec?.shape.description] as const,
    ['.status', status?.shape.description] as const,
  ].filter(([, description]) => !commentKeeps(description));
  return [
    ...(meta.length === 0
      ? []
      : [`the descriptions of ${meta.join(', ')} are dropped: API servers replace them with their own`]),
    ...changed.map(([what]) => `the description of ${what} changes: a doc comment cannot state it exactly`),
  ];
}

/**
 * Returns the paths of the scale subresource and of the selectable fields. Drops each selectable field for which the schema has no field of
 * the required type. Drops the scale subresource if the schema has no such field for one of its paths. Returns a difference for each
 * dropped item.
 */
function pathsOf(
  { subresources, selectableFields = [] }: CustomResourceDefinitionVersion,
  root: StructuralSchema,
): { readonly paths: Pick<KindPlan, 'scale' | 'selectableFields'>; readonly differences: readonly string[] } {
  const isOf = (path: string, types: readonly string[]) => types.includes(fieldAt(path, root)?.type ?? '');
  const selectable = selectableFields.map(({ jsonPath }) => jsonPath);
  const fit = selectable.filter((path) => isOf(path, ['string', 'integer', 'boolean']));
  const unfit = selectable.filter((path) => !fit.includes(path));
  const differences = unfit.map(
    (path) => `${path} is not a selectable field: the schema describes no string, integer or boolean at this path`,
  );
  const { scale } = subresources ?? {};
  if (scale === undefined) return { paths: { selectableFields: fit }, differences };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const counts = [specReplicasPath, statusReplicasPath];
  const isScale = counts.every((path) => isOf(path, ['integer']));
  if (!isScale || (labelSelectorPath !== undefined && !isOf(labelSelectorPath, ['string']))) {
    const difference =
      'the scale subresource is dropped: the schema does not describe a field of the required type at each of its paths';
    return { paths: { selectableFields: fit }, differences: [...differences, difference] };
  }
  const labelSelector = labelSelectorPath === undefined ? {} : { labelSelector: labelSelectorPath };
  const paths = { specReplicas: specReplicasPath, statusReplicas: statusReplicasPath, ...labelSelector };
  return { paths: { selectableFields: fit, scale: paths }, differences };
}

function columnDifferences(version: CustomResourceDefinitionVersion): readonly string[] {
  return ownColumns(version).repeated.map(
    ({ name, jsonPath }) => `the repeated print column '${name}' of '${jsonPath}' is dropped`,
  );
}
