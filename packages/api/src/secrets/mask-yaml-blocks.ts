import { ContainerShape } from './container-shape.js';
import { isDataPointer, namesOfPointer } from './json-pointer.js';
import { isSecretAt, isSecretName, MASK, SECRET_FIELD_NAMES } from './secret-name.js';
import { isSecretPair } from './secret-pair.js';
import { type Replacement, withReplacements } from './replacements.js';

/** Matches a line that ends after a secret name, or after the header of a block scalar with a secret name. */
const HEADER = new RegExp(
  `^[ \\t]*(?:-[ \\t]+){0,20}["']?[\\w.-]{0,100}${SECRET_FIELD_NAMES}s?["']?[ \\t]*:[ \\t]*(?:[|>&!#].*)?\\r?$`,
  'im',
);
const LINE = /^([ \t]*)((?:-[ \t]+)*)(?:(["']?)([\w.$/~-]{1,140})\3[ \t]*:(?=[ \t\r]|$))?[ \t]*(.*)$/gm;
/** Matches the text after a name if the value is on the next lines. */
const FOLLOWS = /^(?:[&!]\S*\s*)*(?:#.*)?$/;
const BLOCK_TEXT = /^(?:[&!]\S*\s*)*[|>]/;
const SENTENCE = /^[^"'{[](?!.*:\s).*\s/;
/** Matches the text of a line whose value is already masked. */
const MASKED = /^[\s"'`,{}[\]*]*$/;

/** A line that is not empty. */
interface Line {
  /** The column of the first character. `column` is the column of the first character after the dashes of lists. */
  readonly indent: number;
  readonly column: number;
  readonly name: string | undefined;
  /** The text after the name and the dashes. */
  readonly text: string;
  readonly textAt: number;
  readonly end: number;
}
/**
 * The members of a YAML map that start in the same column. `path` and `name` are the values of these members. `value` is the index of the
 * line that contains the member `value`.
 */
interface Members {
  readonly column: number;
  path?: string;
  name?: string;
  value?: number;
}

/**
 * Masks the lines below a secret name in YAML, except lines that `ContainerShape` shows. Also masks the values of JSON patch operations
 * with a secret path, and of environment variables with a secret name. Does not mask lines that contain only sentences, because they are
 * not YAML.
 */
export function maskYamlBlocks(text: string): string {
  if (!text.includes('\n') || !(HEADER.test(text) || isSecretPair(text))) return text;
  return new YamlBlocks(text).masked();
}

class YamlBlocks {
  readonly #text: string;
  readonly #lines: readonly Line[];
  readonly #replacements: Replacement[] = [];
  readonly #maps: Members[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#lines = linesOf(text);
  }

  masked(): string {
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#lines[at];
      if (line === undefined) break;
      this.#closeMaps(line.indent);
      if (line.name === undefined) continue;
      this.#add(line, { name: line.name, at });
      const isText = BLOCK_TEXT.test(line.text);
      if (!isSecretName(line.name) || !(isText || FOLLOWS.test(line.text))) continue;
      const end = this.#endOf(at);
      if (!isText && isShown(this.#lines.slice(at + 1, end))) continue;
      this.#mask(line, end);
      at = Math.max(at, end - 1);
    }
    this.#closeMaps(-1);
    return withReplacements(this.#text, this.#replacements);
  }

  #add(line: Line, { name, at }: { readonly name: string; readonly at: number }): void {
    const last = this.#maps.at(-1);
    const members = last?.column === line.column ? last : { column: line.column };
    if (members !== last) this.#maps.push(members);
    if (name === 'value') members.value = at;
    else if (name === 'path' || name === 'name') members[name] = line.text.replace(/^["']|["']$/g, '');
  }
  /** Ends the maps that are indented deeper than the next line, including the map of the previous list item. Masks their secret values. */
  #closeMaps(indent: number): void {
    for (let last = this.#maps.at(-1); last !== undefined && last.column > indent; last = this.#maps.at(-1)) {
      this.#maps.pop();
      const { path = '', name = '', value = 0 } = last;
      const line = this.#lines[value];
      if (last.value === undefined || line === undefined || line.text === 'null') continue;
      const isOfData = path.startsWith('/') && isDataPointer(path);
      if (!isOfData && !(path.startsWith('/') && isSecretAt(namesOfPointer(path))) && !isSecretName(name)) continue;
      const end = this.#endOf(value);
      const isOpen = end > value + 1 && !isOfData && FOLLOWS.test(line.text);
      if (!isOpen || !isShown(this.#lines.slice(value + 1, end))) this.#mask(line, end);
    }
  }

  /** Returns the index after the last line of a value. The items of a list can be at the same column as the name of the list. */
  #endOf(at: number): number {
    const column = this.#lines[at]?.column ?? 0;
    let end = at + 1;
    for (let line = this.#lines[end]; line !== undefined; line = this.#lines[++end]) {
      if (line.indent < column || (line.indent === column && line.column === column)) break;
    }
    return end;
  }
  #mask({ textAt, text }: Line, end: number): void {
    const last = this.#lines[end - 1];
    if (last !== undefined && last.end > textAt)
      this.#replacements.push({ start: textAt, end: last.end, by: text === '' ? ` ${MASK}` : MASK });
  }
}

/** Whether the lines below a secret name are a reference, a schema, sentences, or already masked. */
function isShown(lines: readonly Line[]): boolean {
  const values = lines.filter(({ name, text }) => name !== undefined || !MASKED.test(text));
  const [first] = values;
  if (first === undefined || values.every(({ name, text }) => name === undefined && SENTENCE.test(text))) return true;
  const isList = first.column > first.indent;
  const shape = new ContainerShape();
  let item = isList ? new ContainerShape() : shape;
  for (const line of values) {
    if (isList && line !== first && line.indent === first.indent) {
      shape.addItem(item);
      item = new ContainerShape();
    }
    addLine(item, line, first);
  }
  if (isList) shape.addItem(item);
  return shape.isShown;
}
function addLine(shape: ContainerShape, { name, text, column }: Line, first: Line): void {
  if (name === undefined || /^[{[]./.test(text)) return shape.addScalar();
  if (column === first.column) return shape.addMember(name);
  const inner = new ContainerShape();
  inner.addMember(name);
  shape.addValue(inner);
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const match of text.matchAll(LINE)) {
    const [all, { length: indent } = '', { length: dashes } = '', , name, rest = ''] = match;
    const text = rest.trimEnd();
    if (name === undefined && text === '') continue;
    const end = match.index + all.trimEnd().length;
    lines.push({ indent, column: indent + dashes, name, text, textAt: end - text.length, end });
  }
  return lines;
}
