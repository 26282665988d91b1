import { ownValue, sameJson } from '../schema/json-shape.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { type LocalFinding } from './compatibility-finding.js';
import { hasDefault, harmOfDefault, shownDefault } from './compare-defaults.js';
import { type SchemaPair, widened, within } from './schema-pair.js';

/** A field that only one of two schemas has. */
export interface LoneField {
  readonly name: string;
  readonly before: StructuralSchema | undefined;
  readonly after: StructuralSchema | undefined;
}

/** Returns the effects of an added or removed field. */
export function compareFields(pair: SchemaPair, { name, before, after }: LoneField): readonly LocalFinding[] {
  const path = within(pair.path, name);
  if (after !== undefined) return addedField(pair, name, after);
  if (before === undefined) return [];
  const successor = successorOf(pair, before);
  const [reason, remedy] =
    successor === undefined
      ? [
          'the API server drops stored values of the field, and rejects or ignores requests that set the field',
          'keep the field, document it as deprecated, and stop using it in the controller',
        ]
      : [
          `the API server drops stored values of the field, and does not move them to ${successor}`,
          `keep both fields for some time and read both in the controller, or add another version with ${successor}`,
        ];
  return [{ path, change: 'field removed', class: 'breaking', reason, remedy }];
}

function addedField(pair: SchemaPair, name: string, schema: StructuralSchema): readonly LocalFinding[] {
  const path = within(pair.path, name);
  if (!hasDefault(schema)) {
    if (pair.after.required?.includes(name) === true) return [];
    return [widened({ path }, 'field added', 'the field is optional')];
  }
  const change = `field added with default ${shownDefault(name, schema)}`;
  const harm = harmOfDefault(pair, name);
  if (harm === undefined)
    return [widened({ path }, change, 'the API server adds the default to objects that lack the field')];
  return [{ path, change, class: 'breaking', ...harm }];
}

/** Returns the path of an added field with the same schema, which is probably the renamed field, or undefined. */
function successorOf({ before, after, path }: SchemaPair, removed: StructuralSchema): string | undefined {
  const added = Object.entries(after.properties ?? {}).filter(
    ([name]) => ownValue(before.properties, name) === undefined,
  );
  const plain = (schema: StructuralSchema): object => ({ ...schema, description: undefined, title: undefined });
  const found = added.find(([, schema]) => sameJson(plain(schema), plain(removed)));
  return found === undefined ? undefined : within(path, found[0]);
}

/** Returns the effects of fields that become required or optional. */
export function compareRequired({ path, before, after }: SchemaPair): readonly LocalFinding[] {
  const [was, is] = [before.required ?? [], after.required ?? []];
  const removed = was.filter((name) => !is.includes(name) && ownValue(after.properties, name) !== undefined);
  const added = is.filter((name) => !was.includes(name));
  return [
    ...removed.map((name) =>
      widened({ path: within(path, name) }, 'required → optional', 'clients must handle objects without the field'),
    ),
    ...added.flatMap((name) => addedRequirement({ before, after, path }, name)),
  ];
}

function addedRequirement(
  { before, after, path }: Pick<SchemaPair, 'path' | 'before' | 'after'>,
  name: string,
): readonly LocalFinding[] {
  const at = within(path, name);
  const isNew = ownValue(before.properties, name) === undefined;
  const schema = ownValue(after.properties, name);
  if (schema !== undefined && hasDefault(schema)) {
    return isNew ? [] : [widened({ path: at }, 'optional → required', 'a missing field gets the default')];
  }
  const change = isNew ? 'required field added' : 'optional → required';
  const reason =
    'objects without the field are rejected when another field of the same parent changes; ratcheting does not cover missing fields';
  const remedy =
    'add a default, or keep the field optional and let the controller report a missing value in a condition';
  return [{ path: at, change, class: 'breaking', reason, remedy }];
}
