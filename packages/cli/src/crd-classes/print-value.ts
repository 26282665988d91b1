import { call, type Code } from './code.js';
import { literal, objectLiteral, quoted } from './literal.js';
import type { ClassPlan, ItemPlan, PlannedOptions, ValuePlan } from './value-plan.js';

/** The name of each planned class. */
export type Names = ReadonlyMap<ClassPlan, string>;

/** Returns the decorator of a value, without its `@`. */
export function decoratorOf(value: ValuePlan, options: PlannedOptions, names: Names): Code {
  switch (value.form) {
    case 'conditions':
      return call('Field.conditions', []);
    case 'object':
    case 'part':
      return call('Field.object', [shapeName(value, names), ...optionsCode(options)]);
    case 'list':
    case 'map':
      return call(`Field.${value.form}`, [
        itemCode(value.item, names),
        ...optionsCode({ ...options, ...value.options }),
      ]);
    case 'leaf': {
      const first = value.first === undefined ? [] : [literal(value.first)];
      return call(`Field.${value.decorator}`, [...first, ...optionsCode({ ...options, ...value.options })]);
    }
  }
}

/** Returns the TypeScript type of a value. */
export function typeOf(value: ValuePlan, names: Names): string {
  switch (value.form) {
    case 'conditions':
      return 'Condition[]';
    case 'object':
    case 'part':
      return shapeName(value, names);
    case 'list': {
      const item = itemType(value.item, names);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'map':
      return `Record<string, ${itemType(value.item, names)}>`;
    case 'leaf':
      return value.type;
  }
}

function shapeName(value: ValuePlan & { readonly form: 'object' | 'part' }, names: Names): string {
  return value.form === 'part' ? value.name : (names.get(value.shape) as string);
}

/** Returns the code of a list item or map value. Returns the name of the class if there are no options, and otherwise a decorator. */
function itemCode({ value, options }: ItemPlan, names: Names): Code {
  const isPlain = Object.keys(options).length === 0;
  return isPlain && (value.form === 'object' || value.form === 'part')
    ? shapeName(value, names)
    : decoratorOf(value, options, names);
}

function itemType({ value, options }: ItemPlan, names: Names): string {
  const type = typeOf(value, names);
  return options['nullable'] === true ? `${type} | null` : type;
}

function optionsCode(options: PlannedOptions): readonly Code[] {
  const entries = Object.entries(options);
  return entries.length === 0 ? [] : [objectLiteral(entries)];
}

/** Returns the code of a decorator with one object as the argument, such as `@Rule`. */
export function decoratorWith(name: string, options: object): Code {
  return [`@`, call(name, [objectLiteral(Object.entries(options))])];
}

/** Returns the code of a decorator with strings as arguments, such as `@ExactlyOneOf`. */
export function decoratorOfTexts(name: string, texts: readonly string[]): Code {
  return ['@', call(name, texts.map(quoted))];
}
