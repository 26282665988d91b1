import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, numberAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { modeErrors, ownPathErrors, requiredErrors } from './value-rules.js';
import { downwardFileErrors, fileErrors } from './file-rules.js';

/** The file paths of the sources of one volume. Each path can occur only once. */
interface Taken {
  readonly path: string;
  readonly files: Set<string>;
}

/** Returns the errors of a projected volume. */
export function projectionErrors(projected: JsonDraft, path: string): readonly FieldError[] {
  const taken: Taken = { path, files: new Set() };
  return [
    ...modeErrors(projected, 'defaultMode', path),
    ...errorsOfEach(objectsAt(projected, 'sources'), (source, index) =>
      sourceErrors(source, `${path}.sources[${index}]`, taken),
    ),
  ];
}

function sourceErrors(source: JsonDraft, path: string, taken: Taken): readonly FieldError[] {
  const errors: FieldError[] = [];
  let kinds = 0;
  for (const [kind, rule] of Object.entries(projections)) {
    const found = source[kind];
    if (!isObject(found)) continue;
    kinds += 1;
    append(errors, rule(found, `${path}.${kind}`, taken));
  }
  if (kinds > 1) errors.push(fieldErrors.forbidden(path, 'may not specify more than 1 volume type per source'));
  return errors;
}

const projections: Readonly<Record<string, (source: JsonDraft, path: string, taken: Taken) => readonly FieldError[]>> =
  {
    secret: filesErrors,
    configMap: filesErrors,
    downwardAPI: (source, path, taken) =>
      errorsOfEach(objectsAt(source, 'items'), (file) => {
        const written = stringAt(file, 'path');
        return [...downwardFileErrors(file, path), ...conflictErrors(written, written, taken)];
      }),
    serviceAccountToken: (source, path, taken) => {
      const errors: FieldError[] = [];
      const seconds = numberAt(source, 'expirationSeconds') ?? 0;
      const at = `${path}.expirationSeconds`;
      if (seconds < 600)
        errors.push(fieldErrors.invalid(at, seconds, 'may not specify a duration less than 10 minutes'));
      if (seconds > 2 ** 32) {
        errors.push(fieldErrors.invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
      }
      const written = stringAt(source, 'path');
      return [
        ...errors,
        ...(written === ''
          ? [fieldErrors.required(`${taken.path}.path`)]
          : ownPathErrors(written, `${taken.path}.path`)),
      ];
    },
    clusterTrustBundle: (source, path, taken) => {
      const errors: FieldError[] = [];
      const named = source['name'] !== undefined;
      const signed = source['signerName'] !== undefined;
      if (named && signed) {
        errors.push(fieldErrors.invalid(path, source, 'only one of name and signerName may be used'));
      } else if (!named && !signed) {
        errors.push(fieldErrors.required(path, 'either name or signerName must be specified'));
      }
      const written = stringAt(source, 'path');
      return [
        ...errors,
        ...requiredErrors(source, path, ['path']),
        ...ownPathErrors(written, `${path}.path`),
        ...conflictErrors(written, written, taken),
      ];
    },
  };

function filesErrors(source: JsonDraft, path: string, taken: Taken): readonly FieldError[] {
  const name = stringAt(source, 'name');
  return [
    ...requiredErrors(source, path, ['name']),
    ...errorsOfEach(objectsAt(source, 'items'), (item, index) => [
      ...fileErrors(item, `${path}.items[${index}]`),
      ...conflictErrors(stringAt(item, 'path'), name, taken),
    ]),
  ];
}

function conflictErrors(file: string, shown: string, { path, files }: Taken): readonly FieldError[] {
  if (file === '') return [];
  if (files.has(file)) return [fieldErrors.invalid(path, shown, 'conflicting duplicate paths')];
  files.add(file);
  return [];
}
