import { pluralOf } from '@kubewright/api/names';
import { printerColumns } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import { call, type Code, printCode } from './code.js';
import { commentLines } from './comment-lines.js';
import { objectLiteral, quoted, Verbatim } from './literal.js';
import { APPROVAL } from './definition-differences.js';
import { ownColumns } from './own-columns.js';
import type { KindPlan, KindVersion } from './plan-kind.js';
import { isTyped } from './typed-paths.js';
import { classDecorators } from './print-class.js';
import { decoratorWith, type Names } from './print-value.js';
import type { ClassPlan } from './value-plan.js';

/** The options of `printKind`. */
export interface KindPrinting {
  readonly names: Names;
  readonly className: string;
  /** Whether classes are generated for all versions of the CustomResourceDefinition, and not only for this version. */
  readonly severalVersions: boolean;
  readonly external: boolean;
}

/** Returns the source text of the class of a kind, including the doc comment and the decorators. */
export function printKind(plan: KindPlan, kind: KindVersion, printing: KindPrinting): string {
  const decorators = [
    decoratorWith('Kind', kindOptions(kind, printing)),
    ...classDecorators(plan.whole),
    ...columns(plan, kind),
    ...scale(plan),
    ...plan.selectableFields.map((path) => ['@', call('SelectableField', [literalPath(plan, path)])]),
  ];
  const [head, end] = [`export class ${printing.className} extends `, ' {}'];
  return [
    ...commentLines(plan.whole.description, 0),
    ...decorators.map((each) => printCode(each, 0)),
    `${head}${printCode(baseOf(plan, printing.names), 0, head.length + end.length)}${end}`,
  ].join('\n');
}

function kindOptions({ crd, version }: KindVersion, printing: KindPrinting): object {
  const { group, names, scope, versions } = crd.spec;
  const { kind, plural, singular, shortNames = [], categories = [] } = names;
  const word = kind.toLowerCase();
  const approval = crd.metadata.annotations?.[APPROVAL];
  const isStored = version.storage && printing.severalVersions && versions.length > 1;
  return {
    group,
    version: version.name,
    kind: printing.className === kind && kind.length > 2 ? undefined : kind,
    plural: plural === pluralOf(word) ? undefined : plural,
    singular: singular === undefined || singular === '' || singular === word ? undefined : singular,
    shortNames: shortNames.length === 0 ? undefined : shortNames,
    categories: categories.length === 0 ? undefined : categories,
    scope: scope === 'Cluster' ? 'Cluster' : undefined,
    storage: isStored ? true : undefined,
    served: version.served ? undefined : false,
    deprecated: version.deprecated === true ? (version.deprecationWarning ?? true) : undefined,
    annotations: approval === undefined ? undefined : { [APPROVAL]: approval },
    ageColumn: ownColumns(version).hasAge ? undefined : false,
    external: printing.external ? true : undefined,
  };
}

function columns(plan: KindPlan, { version }: KindVersion): readonly Code[] {
  const schema = (version.schema?.openAPIV3Schema ?? {}) as StructuralSchema;
  return ownColumns(version).columns.map((column) => {
    const { name, jsonPath, type, format, description, priority } = column;
    const [derived] = printerColumns([{ name, jsonPath }], schema);
    return decoratorWith('PrintColumn', {
      name,
      jsonPath: new Verbatim(literalPath(plan, jsonPath)),
      type: derived?.type === type ? undefined : type,
      format: format === undefined || format === '' ? undefined : format,
      description: description === undefined || description === '' ? undefined : description,
      priority: priority === undefined || priority === 0 ? undefined : priority,
    });
  });
}

function scale(plan: KindPlan): readonly Code[] {
  if (plan.scale === undefined) return [];
  const { specReplicas, statusReplicas, labelSelector } = plan.scale;
  const options = {
    specReplicas: new Verbatim(literalPath(plan, specReplicas)),
    statusReplicas: new Verbatim(literalPath(plan, statusReplicas)),
    labelSelector,
  };
  return [decoratorWith('Scale', options)];
}

/**
 * Returns a field path as a string literal. If the classes do not declare all fields of the path, appends `as string`, so that the compiler
 * does not check the path.
 */
function literalPath(plan: KindPlan, path: string): string {
  return isTyped(plan, path) ? quoted(path) : `${quoted(path)} as string`;
}

function baseOf({ spec, status, topLevel, options }: KindPlan, names: Names): Code {
  const nameOf = (shape: ClassPlan | undefined): string =>
    shape === undefined ? 'undefined' : (names.get(shape) as string);
  const optionEntries = Object.entries(options);
  if (topLevel !== undefined) optionEntries.push(['topLevel', new Verbatim(nameOf(topLevel))]);
  const needsOptions = optionEntries.length > 0 || (spec === undefined && status === undefined);
  return call('CustomResource', [
    nameOf(spec),
    ...(status !== undefined || needsOptions ? [nameOf(status)] : []),
    ...(needsOptions ? [objectLiteral(optionEntries)] : []),
  ]);
}
