import { parseSync, Visitor } from 'oxc-parser';

/**
 * Returns the getters and setters in the object literals of a source. V8 creates a hidden class for each object of such a literal, which
 * takes ten times as long as an object of a class, and which only a full garbage collection frees.
 */
export function literalAccessors(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const visitor = new Visitor({
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type !== 'Property' || property.kind === 'init') continue;
        found.push(`${property.kind} ${text.slice(property.key.start, property.key.end)}`);
      }
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}
