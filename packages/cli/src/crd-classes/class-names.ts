import type { ClassPlan, FieldPlan, ValuePlan } from './value-plan.js';

/** Returns the root classes and all classes of their fields. Sorts every class after the classes that its fields refer to. */
export function classesIn(roots: readonly ClassPlan[]): readonly ClassPlan[] {
  const found = new Set<ClassPlan>();
  const visit = (shape: ClassPlan): void => {
    if (found.has(shape)) return;
    for (const field of shape.fields) for (const part of classesOfValue(field.value)) visit(part);
    found.add(shape);
  };
  for (const root of roots) visit(root);
  return [...found];
}

function classesOfValue(value: FieldPlan['value']): readonly ClassPlan[] {
  if (value.form === 'object') return [value.shape];
  return value.form === 'list' || value.form === 'map' ? classesOfValue(value.item.value) : [];
}

/**
 * Returns a unique name for each class. The name of a root class is the kind and the root, such as `WebsiteSpec`. The name of any other
 * class is the last word of the field path. If that name is already used, the preceding words of the path become a prefix. Names are
 * assigned from the root of the object to the leaves, so that classes near the root get short names.
 *
 * @param taken names that the file already uses, such as imported names
 */
export function classNames(
  classes: readonly ClassPlan[],
  taken: readonly string[],
  kind: string,
): ReadonlyMap<ClassPlan, string> {
  const used = new Set(taken);
  const names = new Map<ClassPlan, string>();
  for (const shape of classes.toSorted((a, b) => a.words.length - b.words.length)) {
    const name = candidates(shape.words, kind).find((each) => !used.has(each)) as string;
    used.add(name);
    names.set(shape, name);
  }
  return names;
}

function candidates(words: readonly string[], kind: string): readonly string[] {
  const [root = '', ...path] = words;
  if (path.length === 0) return numbered([`${kind}${root}`]);
  const tails = path.map((_, at) => joined(path.slice(path.length - 1 - at)));
  const whole = [path, words].map((each) => `${kind}${joined(each)}`);
  const fit = [...tails, ...(joined(path) === '' ? [] : whole)].filter(isName);
  return numbered(fit.length === 0 ? [`${kind}Part`] : fit);
}

/** Appends numbered variants of the longest name, which are used if all other names are already used. */
function numbered(names: readonly string[]): readonly string[] {
  const longest = names.at(-1) ?? '';
  return [...names, ...Array.from({ length: 1000 }, (_, at) => `${longest}${at + 2}`)];
}

/** Concatenates words. If a word starts with the text before it, the word replaces that text: `Pod`, `PodSpec` → `PodSpec`. */
function joined(words: readonly string[]): string {
  return words.reduce((all, word) => (word.startsWith(all) ? word : `${all}${word}`), '');
}

function isName(name: string): boolean {
  return /^[A-Z]\w+$/.test(name);
}

/** Returns the planned values of all fields of the classes, including the values of list items and map entries. */
export function valuesIn(classes: readonly ClassPlan[]): readonly ValuePlan[] {
  const inside = (value: ValuePlan): readonly ValuePlan[] =>
    value.form === 'list' || value.form === 'map' ? [value, ...inside(value.item.value)] : [value];
  return classes.flatMap(({ fields }) => fields.flatMap(({ value }) => inside(value)));
}
