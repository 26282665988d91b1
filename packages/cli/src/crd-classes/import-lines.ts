import { valuesIn } from './class-names.js';
import { lineWidth } from './code.js';
import { ownColumns } from './own-columns.js';
import type { KindPlan, KindVersion } from './plan-kind.js';
import { isDefaulted, isEmptyClass, setDecorators } from './print-class.js';
import type { ClassPlan } from './value-plan.js';

/** Names that a generated class must not have, because the module imports them from Kubewright or uses them as global names. */
export const RESERVED: readonly string[] =
  `AtLeastOneOf AtMostOneOf Condition CustomResource Default ExactlyOneOf Field Kind KubeObject PrintColumn Rule Scale Schema
  SelectableField Array BigInt Boolean Date Error Function JSON Map Math Number Object Promise Record Reflect RegExp Set String
  Symbol Partial Readonly Required`.split(/\s+/);

/** The imports of a generated module. */
export interface Imports {
  /** The import declarations, sorted. */
  readonly text: string;
  /** The names of the imported built-in types, such as `PodSpec`. */
  readonly names: readonly string[];
}

/** Returns the imports that the classes of a kind need. */
export function importLines(plan: KindPlan, { version }: KindVersion, classes: readonly ClassPlan[]): Imports {
  const all = [...classes, plan.whole];
  const fields = classes.flatMap((shape) => shape.fields);
  const values = valuesIn(classes);
  const sets = all.flatMap(({ oneOf }) => oneOf);
  const used = [
    'CustomResource',
    'Kind',
    ...(fields.length > 0 ? ['Field'] : []),
    ...new Set(sets.map(({ count }) => setDecorators[count])),
    ...([...all, ...fields].some(({ rules }) => rules.length > 0) ? ['Rule'] : []),
    ...(classes.some(isEmptyClass) || all.some(({ keywords }) => Object.keys(keywords).length > 0) ? ['Schema'] : []),
    ...(ownColumns(version).columns.length > 0 ? ['PrintColumn'] : []),
    ...(plan.scale === undefined ? [] : ['Scale']),
    ...(plan.selectableFields.length > 0 ? ['SelectableField'] : []),
    ...(values.some(({ form }) => form === 'conditions') ? ['type Condition'] : []),
    ...(fields.some(isDefaulted) ? ['type Default'] : []),
    ...(values.some((value) => value.form === 'leaf' && value.type === 'KubeObject') ? ['type KubeObject'] : []),
  ];
  const parts = values.flatMap((value) => (value.form === 'part' ? [value] : []));
  const modules = [...new Set(parts.map(({ module }) => module))].toSorted();
  const lines = modules.map((module) => {
    return importLine(module, [...new Set(parts.flatMap((part) => (part.module === module ? [part.name] : [])))]);
  });
  return {
    text: [importLine('@kubewright/api', used), ...lines].join('\n'),
    names: parts.map(({ name }) => name),
  };
}

function importLine(module: string, names: readonly string[]): string {
  const bare = (name: string): string => name.replace('type ', '');
  const sorted = names.toSorted((a, b) => (bare(a) < bare(b) ? -1 : 1));
  const line = `import { ${sorted.join(', ')} } from '${module}';`;
  if (line.length <= lineWidth) return line;
  return `import {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${module}';`;
}
