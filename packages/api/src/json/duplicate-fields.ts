interface Open {
  /** Names seen so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  readonly path: string;
  index: number;
  name: string;
}

/**
 * The paths of the fields that a JSON document names more than once, as in `spec.items[0].name`, in the order in which
 * the repetitions stand. The document must be valid: for another one the answer means nothing.
 */
export function duplicateFields(json: string): readonly string[] {
  const found = new Set<string>();
  const stack: Open[] = [];
  let expectsName = false;
  for (let at = 0; at < json.length; at++) {
    const open = stack.at(-1);
    switch (json[at]) {
      case '{':
      case '[': {
        const names = json[at] === '{' ? new Set<string>() : undefined;
        stack.push({ names, path: open === undefined ? '' : childPath(open), index: 0, name: '' });
        expectsName = names !== undefined;
        break;
      }
      case '}':
      case ']':
        stack.pop();
        expectsName = false;
        break;
      case ',':
        if (open !== undefined) open.index += 1;
        expectsName = open?.names !== undefined;
        break;
      case '"': {
        const text = stringAt(json, at);
        at += text.length - 1;
        if (!expectsName || open?.names === undefined) break;
        expectsName = false;
        open.name = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
        if (open.names.has(open.name)) found.add(childPath(open));
        open.names.add(open.name);
        break;
      }
      default:
    }
  }
  return [...found];
}

function childPath({ names, path, index, name }: Open): string {
  if (names === undefined) return `${path}[${index}]`;
  return path === '' ? name : `${path}.${name}`;
}

function stringAt(json: string, start: number): string {
  let at = start + 1;
  for (; at < json.length && json[at] !== '"'; at++) if (json[at] === '\\') at++;
  return json.slice(start, at + 1);
}
