import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { builtInKinds } from '@kubewright/api/built-in';
import { KubewrightError } from '@kubewright/api/errors';
import { groupOf } from '@kubewright/api/metadata';
import { pluralOf } from '@kubewright/api/names';
import { shownList } from '../command/shown-list.js';
import { namesOfKind } from './names-of-kind.js';

/** The maximum number of objects in an error message. */
const MAX_SHOWN = 12;

/** The object in `--plan KIND/NAME`. */
export interface NamedObject {
  /** Any name of the kind that kubectl accepts, such as 'website' or 'websites.example.com'. */
  readonly kind: string;
  readonly name: string;
}

/** Parses the argument of `--plan`. Throws INVALID_USAGE if the argument is not KIND/NAME. */
export function namedObject(text: string): NamedObject {
  const [kind = '', name = '', ...more] = text.split('/');
  if (kind !== '' && name !== '' && more.length === 0) return { kind, name };
  throw new KubewrightError('INVALID_USAGE', `invalid --plan ${text}: pass KIND/NAME, such as website/sample`);
}

/**
 * Returns the objects of a file with the given kind and name. Finds the names of a kind in its definition, otherwise among the built-in
 * kinds. If neither defines the kind, derives the plural from the kind.
 *
 * @param definitions the definitions of the kinds that the project declares
 * @throws KubewrightError INVALID_USAGE if the file contains no such object; the message lists the objects of the file
 */
export function plannedObjects(
  { objects, filename }: { readonly objects: readonly KubeObject[]; readonly filename: string },
  named: NamedObject,
  definitions: readonly CustomResourceDefinition[],
): readonly KubeObject[] {
  const found = objects.filter(
    (each) => each.metadata.name === named.name && namesOfObject(each, definitions).includes(named.kind.toLowerCase()),
  );
  if (found.length > 0) return found;
  const existing = objects.map((each) => `${kindOfObject(each)}/${each.metadata.name}`);
  const shown = shownList(existing, { most: MAX_SHOWN });
  throw new KubewrightError(
    'INVALID_USAGE',
    `cannot plan ${named.kind}/${named.name}: ${filename} does not contain this object; pass one of the objects in the file: ${shown}`,
  );
}

/** Returns the kind of an object with its group: 'Website.example.com', or 'Pod' in the core group. */
export function kindOfObject(object: KubeObject): string {
  const group = groupOf(object.apiVersion);
  return group === '' ? object.kind : `${object.kind}.${group}`;
}

function namesOfObject(object: KubeObject, definitions: readonly CustomResourceDefinition[]): readonly string[] {
  const { kind } = object;
  const group = groupOf(object.apiVersion);
  const defined = definitions.find(({ spec }) => spec.group === group && spec.names.kind === kind);
  if (defined !== undefined) return namesOfKind({ ...defined.spec.names, group });
  const builtIn = builtInKinds().find((each) => each.group === group && each.kind === kind);
  return namesOfKind(builtIn ?? { kind, group, plural: pluralOf(kind.toLowerCase()) });
}
