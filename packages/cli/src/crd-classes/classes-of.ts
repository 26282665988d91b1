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

/** Which classes are to be made of a CustomResourceDefinition, and how. */
export interface ClassesOptions {
  /** The only version to make classes of. @default every version */
  readonly version?: string;
  /** The CustomResourceDefinition is another operator's, and stays so. @default false */
  readonly external?: boolean;
}

/** The decorated classes of one version of a kind. */
export interface KindClasses {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name of the class of the kind, which is the kind unless that means something else in TypeScript. */
  readonly className: string;
  /** The text of the module. */
  readonly text: string;
  /**
   * How the CustomResourceDefinition made from these classes differs, one sentence per difference. The first version also has the
   * differences outside versions.
   */
  readonly differences: readonly string[];
}

/**
 * Decorated classes that say what a CustomResourceDefinition says. What a class cannot say stands in them as a schema; the
 * CustomResourceDefinition that `crdFor` makes of them has the same schema, but for `differences`.
 * @throws KubewrightError INEXPRESSIBLE_KIND naming the construct and its path, where there can be no class of the kind, and
 *   NO_VERSION when the version that is asked for is not there
 */
export function classesOf(crd: CustomResourceDefinition, options: ClassesOptions = {}): readonly KindClasses[] {
  const { kind } = crd.spec.names;
  const versions = crd.spec.versions.filter(({ name }) => options.version === undefined || name === options.version);
  if (versions.length === 0) {
    const known = crd.spec.versions.map(({ name }) => name).join(', ');
    throw new KubewrightError(
      'NO_VERSION',
      `cannot make classes of ${kind} ${crd.spec.group}/${options.version}: the definition has no such version; it has ${known}`,
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
  const { group, names: said } = crd.spec;
  const plan = planKind({ crd, version }, parts);
  const className = classNameOf(said.kind);
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
  return { group, version: version.name, kind: said.kind, className, text: `${text}\n`, differences };
}

/** Some kinds are in lower case; classes are not. */
function classNameOf(kind: string): string {
  const word = wordOf(kind);
  return RESERVED.includes(word) ? `${word}Resource` : word;
}
