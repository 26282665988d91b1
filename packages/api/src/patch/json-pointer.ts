import { getField, isJsonObject, withField } from '../json/json-object.js';
import { PatchError } from './patch-error.js';

export type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Thrown inside the walk; the operation adds its own words in front. */
export function missing(text: string): PatchError {
  return new PatchError('doesNotApply', `${text}: missing value`);
}

/** The tokens of a JSON pointer, unescaped; undefined when it points at the whole document. */
function pointerTokens(path: string): readonly [string, ...string[]] | undefined {
  const [, ...tokens] = path.split('/');
  const [first, ...rest] = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return first === undefined ? undefined : [first, ...rest];
}

/** The container that the last token of `path` looks into, and that token; undefined when the way is missing. */
export function lookUp(document: unknown, path: string): { container: Container; key: string } | undefined {
  const tokens = pointerTokens(path);
  if (tokens === undefined) return undefined;
  let at: unknown = document;
  for (const token of tokens.slice(0, -1)) at = childOf(at, token);
  return isContainer(at) ? { container: at, key: tokens.at(-1) ?? '' } : undefined;
}

/** A copy of `document` in which the container that `path` looks into is replaced; the rest is shared. */
export function replaceContainer(document: unknown, path: string, container: Container): unknown {
  const tokens = pointerTokens(path) ?? [];
  return rebuild(document, tokens.slice(0, -1), container);
}

/** The value under `key`: undefined for an absent field. Throws `PatchError` for a bad index. */
export function readKey(container: Container, key: string): unknown {
  return isJsonObject(container) ? getField(container, key) : container[arrayIndex(key, container.length)];
}

/** The position that `key` names among `length` elements; a negative one counts from the end. */
export function arrayIndex(key: string, length: number): number {
  if (!/^[+-]?[0-9]+$/.test(key)) {
    throw new PatchError('doesNotApply', `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  }
  const index = Number(key);
  if (index >= length || index < -length) {
    throw new PatchError('doesNotApply', `Unable to access invalid index: ${index}: invalid index referenced`);
  }
  return index < 0 ? index + length : index;
}

function rebuild(value: unknown, tokens: readonly string[], container: Container): unknown {
  const [token, ...rest] = tokens;
  if (token === undefined) return container;
  if (isJsonObject(value)) return withField(value, token, rebuild(getField(value, token), rest, container));
  const items = value as readonly unknown[];
  const index = arrayIndex(token, items.length);
  return items.with(index, rebuild(items[index], rest, container));
}

function childOf(value: unknown, token: string): unknown {
  if (isJsonObject(value)) return getField(value, token);
  if (!Array.isArray(value) || !/^[+-]?[0-9]+$/.test(token)) return undefined;
  return (value as readonly unknown[]).at(Number(token));
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
