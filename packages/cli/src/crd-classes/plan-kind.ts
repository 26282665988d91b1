import type { CustomResourceOptions } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@kubewright/api/apiextensions/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import { fieldAt } from '@kubewright/api/metadata';
import { cleanSchema } from './clean-schema.js';
import { keywordsOf, planClass, unfitParts } from './plan-class.js';
import type { Parts } from './parts.js';
import { newPlanning } from './plan-value.js';
import type { Planning } from './planning.js';
import type { ClassPlan } from './value-plan.js';
import { without } from './without.js';

/** How the classes of one version of a kind are declared. */
export interface KindPlan {
  readonly spec: ClassPlan;
  readonly status?: ClassPlan;
  /** The kind itself: its comment, and what is said of whole objects. */
  readonly whole: ClassPlan;
  /** What `CustomResource(…)` is told beside its classes. */
  readonly options: CustomResourceOptions;
  readonly scale?: ScalePaths;
  readonly selectableFields: readonly string[];
  /** What the CustomResourceDefinition of the classes says in another way, a sentence each. */
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
 * @throws KubewrightError INEXPRESSIBLE_KIND naming the construct and its path
 */
export function planKind({ crd, version }: KindVersion, parts: Parts): KindPlan {
  const { schema: root, unknown } = cleanSchema((version.schema?.openAPIV3Schema ?? {}) as StructuralSchema);
  const { spec, status, others } = partsOf(root);
  const name = `${crd.spec.names.kind} ${crd.spec.group}/${version.name}`;
  const fail = (construct: string): never => {
    throw new KubewrightError(
      'INEXPRESSIBLE_KIND',
      `cannot make classes of ${name}: ${construct}; declare it with defineKind, or read it with dynamicKind('${crd.spec.group}/${version.name}', '${crd.spec.names.kind}')`,
    );
  };
  if (spec === undefined) return fail('it has no .spec');
  if (others.length > 0) fail(`it has .${others.join(' and .')} beside spec and status`);
  const { paths, differences } = pathsOf(version, root);
  const statusSubresource = version.subresources?.status !== undefined;
  const planning = newPlanning(parts);
  const planPart = (schema: StructuralSchema, word: string): ClassPlan => {
    const plan = rootClass(schema, word, planning);
    return typeof plan === 'string' ? fail(`.${word.toLowerCase()} is nothing that a class can say: ${plan}`) : plan;
  };
  return {
    spec: planPart(spec, 'Spec'),
    ...(status === undefined ? {} : { status: planPart(status, 'Status') }),
    whole: wholePlan(root),
    options: optionsOf(root, statusSubresource),
    ...paths,
    differences: [
      ...differences,
      ...columnDifferences(version),
      ...(statusSubresource && status === undefined
        ? ['there is no status subresource, since no status is described']
        : []),
      ...unknown.map((each) => `${each} is a keyword that API servers do not know`),
      ...rootDifferences(root),
    ],
  };
}

/** A spec with a default may be left out, whether it is required or not. */
function optionsOf(
  { properties = {}, required = [] }: StructuralSchema,
  statusSubresource: boolean,
): CustomResourceOptions {
  const { spec, status } = properties;
  const [specDefault, statusDefault] = [spec, status].map(wholeDefault);
  return {
    ...(required.includes('spec') || specDefault !== undefined ? {} : { specOptional: true }),
    ...(status === undefined || statusSubresource ? {} : { statusSubresource: false }),
    ...(specDefault === undefined ? {} : { specDefault }),
    ...(statusDefault === undefined ? {} : { statusDefault }),
  };
}

/** What `specDefault` and `statusDefault` can say, which is all but null. */
function wholeDefault(part: StructuralSchema | undefined): object | undefined {
  const fallback = part?.default;
  return typeof fallback === 'object' && fallback !== null ? fallback : undefined;
}

function partsOf({ properties = {} }: StructuralSchema): {
  readonly spec?: StructuralSchema;
  readonly status?: StructuralSchema;
  readonly others: readonly string[];
} {
  const { spec, status, ...rest } = properties;
  const others = Object.keys(rest).filter((name) => !META.includes(name));
  return { others, ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
}

/** The class of spec or status, or why there is none. */
function rootClass(schema: StructuralSchema, word: string, planning: Planning): ClassPlan | string {
  const rest = without(schema, 'default', 'title', 'example', 'nullable');
  const unfit = unfitParts(rest);
  return planClass(rest, { words: [word], isItem: true }, planning) ?? unfit.join(', and ');
}

function wholePlan(root: StructuralSchema): ClassPlan {
  const rules = (root['x-kubernetes-validations'] ?? []) as ClassPlan['rules'];
  return { words: [], description: root.description, keywords: keywordsOf(root), rules, oneOf: [], fields: [] };
}

function rootDifferences({ properties = {}, required = [] }: StructuralSchema): readonly string[] {
  const { spec, status, metadata } = properties;
  const more = required.filter((name) => name !== 'spec' && wholeDefault(properties[name]) === undefined);
  const parts = [
    ['spec', spec],
    ['status', status],
  ] as const;
  return [
    ...more.map((name) => `.${name} is not required`),
    ...(metadata !== undefined && metadata.properties !== undefined
      ? ['.metadata is described as for every kind; say what holds of names with @Rule']
      : []),
    ...parts.flatMap(([name, part]) =>
      (['default', 'title', 'example', 'nullable'] as const)
        .filter((key) => part?.[key] !== undefined && (key !== 'default' || wholeDefault(part) === undefined))
        .map((key) => `.${name} has no '${key}'`),
    ),
  ];
}

/** The paths of a version that lead to a field of the type that they need, and those that do not. */
function pathsOf(
  { subresources, selectableFields = [] }: CustomResourceDefinitionVersion,
  root: StructuralSchema,
): { readonly paths: Pick<KindPlan, 'scale' | 'selectableFields'>; readonly differences: readonly string[] } {
  const isOf = (path: string, types: readonly string[]) => types.includes(fieldAt(path, root)?.type ?? '');
  const selectable = selectableFields.map(({ jsonPath }) => jsonPath);
  const fit = selectable.filter((path) => isOf(path, ['string', 'integer', 'boolean']));
  const unfit = selectable.filter((path) => !fit.includes(path));
  const differences = unfit.map((path) => `${path} is not selectable, since it is not the path of a described field`);
  const { scale } = subresources ?? {};
  if (scale === undefined) return { paths: { selectableFields: fit }, differences };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const counts = [specReplicasPath, statusReplicasPath];
  const isScale = counts.every((path) => isOf(path, ['integer']));
  if (!isScale || (labelSelectorPath !== undefined && !isOf(labelSelectorPath, ['string']))) {
    const said = 'there is no scale subresource, since its paths are not all those of described fields';
    return { paths: { selectableFields: fit }, differences: [...differences, said] };
  }
  const labelSelector = labelSelectorPath === undefined ? {} : { labelSelector: labelSelectorPath };
  const paths = { specReplicas: specReplicasPath, statusReplicas: statusReplicasPath, ...labelSelector };
  return { paths: { selectableFields: fit, scale: paths }, differences };
}

function columnDifferences({ additionalPrinterColumns = [] }: CustomResourceDefinitionVersion): readonly string[] {
  if (additionalPrinterColumns.length === 0 || additionalPrinterColumns.some(({ name }) => name === 'Age')) return [];
  return ['there is a print column Age, as for every kind'];
}
