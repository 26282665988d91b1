import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { classesIn, classNames } from './class-names.js';
import { wordOf } from './class-words.js';
import { definitionDifferences } from './definition-differences.js';
import { importLines, RESERVED } from './import-lines.js';
import { Parts } from './parts.js';
import { type KindVersion, planKind } from './plan-kind.js';
import { printClass } from './print-class.js';
import { printKind } from './print-kind.js';

/** The options of `classesOf`. */
export interface ClassesOptions {
  /** The version for which classes are generated. @default every version */
  readonly version?: string;
  /** Whether the CustomResourceDefinition belongs to another operator. @default false */
  readonly external?: boolean;
}

/** The decorated classes of one version of a kind. */
export interface KindClasses {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name of the class: the kind in PascalCase. If TypeScript or Kubewright already uses that name, the suffix `Resource` is added. */
  readonly className: string;
  /** The source text of the module. */
  readonly text: string;
  /**
   * The differences between the original CustomResourceDefinition and the CustomResourceDefinition that is generated from these classes,
   * one sentence per difference. The list of the first version also contains the differences in fields that all versions share.
   */
  readonly differences: readonly string[];
}

/**
 * Generates decorated classes from a CustomResourceDefinition, one module per version. Fields that decorators cannot express contain a raw
 * schema (`Field.schema`). The CustomResourceDefinition that `crdFor` generates from the classes is the same, except for `differences`.
 * @throws KubewrightError UNSUPPORTED_KIND if no class can express the kind, and NO_VERSION if the requested version does not exist
 */
export function classesOf(crd: CustomResourceDefinition, options: ClassesOptions = {}): readonly KindClasses[] {
  const { kind } = crd.spec.names;
  const versions = crd.spec.versions.filter(({ name }) => options.version === undefined || name === options.version);
  if (versions.length === 0) {
    const known = crd.spec.versions.map(({ name }) => name).join(', ');
    throw new KubewrightError(
      'NO_VERSION',
      `cannot generate classes for ${kind} ${crd.spec.group}/${options.version}: the definition does not have this version; use one of ${known}`,
    );
  }
  const parts = new Parts();
  const [first, ...others] = versions.map((version) => kindClasses({ crd, version }, { ...options, parts }));
  if (first === undefined) return others;
  return [{ ...first, differences: [...definitionDifferences(crd), ...first.differences] }, ...others];
}

function kindClasses(
  { crd, version }: KindVersion,
  { parts, version: only, external = false }: ClassesOptions & { readonly parts: Parts },
): KindClasses {
  const { group, names: crdNames } = crd.spec;
  const plan = planKind({ crd, version }, parts);
  const className = classNameOf(crdNames.kind);
  const classes = classesIn([plan.spec, plan.status, plan.topLevel].filter((part) => part !== undefined));
  const imported = importLines(plan, { crd, version }, classes);
  const names = classNames(classes, [...RESERVED, ...imported.names, className], className);
  const printing = { names, className, severalVersions: only === undefined, external };
  const text = [
    imported.text,
    ...classes.map((shape) => printClass(shape, names)),
    printKind(plan, { crd, version }, printing),
  ].join('\n\n');
  const { differences } = plan;
  return { group, version: version.name, kind: crdNames.kind, className, text: `${text}\n`, differences };
}

/** Converts a kind to a class name. Some kinds are lowercase, but class names start with an uppercase letter. */
function classNameOf(kind: string): string {
  const word = wordOf(kind);
  return RESERVED.includes(word) ? `${word}Resource` : word;
}
