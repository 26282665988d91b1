import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { driverNameErrors } from '../core/pod-spec/claim-spec-rules.js';
import { goStruct } from '../rules/go-text.js';

const most = 256 * 1024;
const longestMessage = 1024;
const fieldsOfErrors = ['attachError', 'detachError'];

/** The strategy for VolumeAttachments. The spec is immutable. */
export const volumeAttachmentStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { preservedByStatus: 'all' },
  deletionRules: { returnsObject: true },
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['attacher'] ??= '';
    spec['nodeName'] ??= '';
    madeAt(spec, 'source');
  },
  prepareForCreate: (draft) => {
    draft['status'] = { attached: false };
  },
  prepareForStatusUpdate: (draft) => {
    madeAt(draft, 'status')['attached'] ??= false;
  },
  validate: attachmentErrors,
  validateUpdate: (next, old) => [...attachmentErrors(next), ...changeErrors(next, old)],
  validateStatusUpdate: (next, old) => [...attachmentErrors(next), ...changeErrors(next, old)],
  cells: (attachment, now) => [
    attachment.metadata.name,
    stringAt(attachment, 'spec', 'attacher'),
    stringAt(attachment, 'spec', 'source', 'persistentVolumeName'),
    stringAt(attachment, 'spec', 'nodeName'),
    valueAt(attachment, 'status', 'attached') === true,
    age(attachment.metadata.creationTimestamp, now),
  ],
};

function attachmentErrors(attachment: ApiObject): readonly FieldError[] {
  const spec = objectAt(attachment, 'spec');
  const node = stringAt(spec, 'nodeName');
  const volume = valueAt(spec, 'source', 'persistentVolumeName');
  const errors = [...driverNameErrors(stringAt(spec, 'attacher'), 'spec.attacher'), ...sourceErrors(attachment)];
  append(
    errors,
    dns1123SubdomainErrors(node).map((why) => fieldErrors.invalid('spec.nodeName', node, why)),
  );
  append(errors, statusErrors(attachment));
  if (volume === undefined) return errors;
  const path = 'spec.source.persistentVolumeName';
  return [...errors, ...dns1123SubdomainErrors(String(volume)).map((why) => fieldErrors.invalid(path, volume, why))];
}

function sourceErrors(attachment: ApiObject): readonly FieldError[] {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = objectAt(attachment, 'spec', 'source');
  const path = 'spec.source';
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && name === undefined) return [fieldErrors.required(path, one)];
  if (inline !== undefined && name !== undefined) return [fieldErrors.forbidden(path, one)];
  if (name !== '') return [];
  return [fieldErrors.required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')];
}

function statusErrors(attachment: ApiObject): readonly FieldError[] {
  const status = objectAt(attachment, 'status');
  const kept = Object.entries(objectAt(status, 'attachmentMetadata'));
  const bytes = kept.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)), 0);
  const errors: FieldError[] = bytes > most ? [fieldErrors.tooLong('status.attachmentMetadata', most)] : [];
  for (const field of fieldsOfErrors) {
    const problem = status[field];
    if (!isObject(problem)) continue;
    if (stringAt(problem, 'message').length > longestMessage) {
      // As in kube-apiserver, the error contains the limit of attachmentMetadata instead of the limit of messages.
      errors.push(fieldErrors.tooLong(`status.${field}.message`, most));
    }
    const code = problem['errorCode'];
    if (typeof code === 'number' && code < 0) {
      const why = 'must be between 0 and 2147483647, inclusive';
      errors.push(fieldErrors.invalid(`status.${field}.errorCode`, code, why));
    }
  }
  return errors;
}

function changeErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const spec = objectAt(next, 'spec');
  if (deepEqual(spec, objectAt(old, 'spec'))) return [];
  const source = {
    PersistentVolumeName: valueAt(spec, 'source', 'persistentVolumeName'),
    InlineVolumeSpec: valueAt(spec, 'source', 'inlineVolumeSpec'),
  };
  const shown = goStruct({ Attacher: spec['attacher'], Source: source, NodeName: spec['nodeName'] });
  return [{ reason: 'FieldValueInvalid', field: 'spec', message: `Invalid value: ${shown}: field is immutable` }];
}
