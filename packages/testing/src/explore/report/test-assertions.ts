import { SUBJECT } from '../trials/world.js';
import type { Difference } from '../state/state-differences.js';
import type { SavedFinding } from '../histories/saved-finding.js';
import type { TestImports } from './test-imports.js';
import { literal } from './literal.js';

/** The maximum number of differences that a test asserts. */
const MOST_ASSERTIONS = 5;
/** Fields whose keys can contain dots. */
const MAPS = /^(?:.*\.)?(?:labels|annotations|matchLabels|nodeSelector|data|stringData|binaryData|limits|requests)\./;

/** What the assertions of a test use. */
export interface AssertionsUsing {
  readonly imports: TestImports;
  /** The expression that starts the operator. */
  readonly run: string;
}

/** Returns the statements that fail while the history violates the rule. Returns no statements if the rule cannot be asserted. */
export function assertionsOf(finding: SavedFinding, { imports, run }: AssertionsUsing): readonly string[] {
  switch (finding.oracle) {
    case 'deletion':
      return goneObjects(finding).flatMap((name) => absence(name, imports));
    case 'converges':
    case 'quiet':
      return unchanged(finding, imports, ["await clock.advance('10m');"]);
    case 'restart':
      return unchanged(finding, imports, [
        'await clock.during(manager.stop());',
        `manager = ${run};`,
        "await clock.advance('1m');",
      ]);
    case 'exception':
      return ['for (const { error } of manager.stats().values()) assert.equal(error, 0);'];
    case 'permission':
      return ['assert.deepEqual(env.permissions().missing, []);'];
    default:
      return finding.differences.slice(0, MOST_ASSERTIONS).flatMap((each) => assertionOf(each, imports));
  }
}

/** Returns the names of the objects that must not exist after the deletion. */
function goneObjects({ details, kind, signature }: SavedFinding): readonly string[] {
  return signature.endsWith(' stays') ? [`${kind.kind} ${SUBJECT.namespace}/${SUBJECT.name}`] : details;
}

/** Returns the statements that assert that the objects in the details do not change during other statements. */
function unchanged(
  { oracle, details }: SavedFinding,
  imports: TestImports,
  during: readonly string[],
): readonly string[] {
  const found = details.slice(0, MOST_ASSERTIONS).flatMap((object) => reference(object, imports) ?? []);
  const versions = found.map((each) => `(await env.client.find(${each}))?.metadata.resourceVersion`);
  // An operator that never settles fails the test while the time passes.
  if (versions.length === 0 && oracle !== 'converges') return [];
  return [
    ...versions.map((version, at) => `const version${at + 1} = ${version};`),
    ...during,
    ...versions.map((version, at) => `assert.equal(${version}, version${at + 1});`),
  ];
}

function absence(object: string, imports: TestImports): readonly string[] {
  const found = reference(object, imports);
  return found === undefined ? [] : [`assert.equal(await env.client.find(${found}), undefined);`];
}

function assertionOf({ object, path, expected }: Difference, imports: TestImports): readonly string[] {
  const found = reference(object, imports);
  if (found === undefined) return [];
  if (path !== '') {
    if (isSymbolic(expected) || path.includes('[')) return [];
    return [`assert.deepEqual((await env.client.get(${found}))${accessOf(path)}, ${literal(expected)});`];
  }
  if (expected === undefined) return absence(object, imports);
  return [`assert.ok(await env.client.find(${found}));`];
}

/**
 * Returns the arguments with which a generated test reads an object: the class and the key. Returns undefined for an object whose kind or
 * name is not known.
 */
function reference(object: string, imports: TestImports): string | undefined {
  const [, kind = '', namespace, name = ''] = /^(\S+) (?:([^/\s]+)\/)?([^/\s*]+)$/.exec(object) ?? [];
  const imported = name === '' ? undefined : imports.kind(kind);
  return imported && `${imported}, ${literal(namespace === undefined ? { name } : { namespace, name })}`;
}

/** Returns the expression that reads a field, such as `.spec?.replicas`. */
function accessOf(path: string): string {
  const [map = ''] = MAPS.exec(path) ?? [];
  const names = map === '' ? path.split('.') : [...map.slice(0, -1).split('.'), path.slice(map.length)];
  return names
    .map((name, at) => {
      const isPlain = /^[A-Za-z_$][\w$]*$/.test(name) && (map === '' || at < names.length - 1);
      if (isPlain) return at === 0 ? `.${name}` : `?.${name}`;
      return `?.[${literal(name)}]`;
    })
    .join('');
}

/** Whether a value contains a symbol that replaces a value of the server, such as a uid. */
function isSymbolic(value: unknown): boolean {
  return /"<[^"]*>"/.test(JSON.stringify(value) ?? '');
}
