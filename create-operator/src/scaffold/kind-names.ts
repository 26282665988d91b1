import type { KindFilesOptions } from './scaffold-options.js';

/** Converts a name from PascalCase to kebab-case: `VirtualMachine` → `virtual-machine`, `DNSZone` → `dns-zone`. */
export function kebabCase(kind: string): string {
  return kind
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** Returns the complete API group: `cloud.example.com`. */
export function groupOf({ group, domain }: Pick<KindFilesOptions, 'group' | 'domain'>): string {
  return group === '' ? domain : `${group}.${domain}`;
}

const RESERVED = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false finally for function if
  implements import in instanceof interface let new null package private protected public return static super switch this throw
  true try typeof var void while with yield await async arguments eval undefined assert draft env labels ready
  readyReplicas sample seen status test`.split(/\s+/),
);

/**
 * Returns the variable name for an object of the kind: `virtualMachine`. Adds a prefix to reserved words and to names that the templates
 * use: `theClass`.
 */
export function variableOf(kind: string): string {
  const name = kebabCase(kind).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return RESERVED.has(name) ? `the${kind}` : name;
}
