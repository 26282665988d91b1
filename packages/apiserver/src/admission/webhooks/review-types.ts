import { type GoField, type GoType, GoTypes } from '../../registry/cluster-data/go-types.js';

const text = (name = 'string'): GoType => ({ kind: 'string', name });

const structs: Readonly<Record<string, Readonly<Record<string, GoType>>>> = {
  'admission.AdmissionReview': {
    kind: text(),
    apiVersion: text(),
    response: { kind: 'struct', name: 'v1.AdmissionResponse', key: 'admission.AdmissionResponse' },
  },
  'admission.AdmissionResponse': {
    uid: text('types.UID'),
    allowed: { kind: 'bool', name: 'bool' },
    status: { kind: 'struct', name: 'v1.Status', key: 'meta/v1.Status' },
    patch: { kind: 'bytes', name: '[]uint8' },
    patchType: text('v1.PatchType'),
    auditAnnotations: { kind: 'map', name: 'map[string]string', of: text() },
    warnings: { kind: 'list', name: '[]string', of: text() },
  },
};

/** The declared types of the fields of an AdmissionReview that a webhook sends. */
export class ReviewTypes extends GoTypes {
  /** The type of a whole AdmissionReview. */
  readonly review: GoType = { kind: 'struct', name: 'v1.AdmissionReview', key: 'admission.AdmissionReview' };

  override fields(key: string): ReadonlyMap<string, GoField> {
    const own = structs[key];
    if (own === undefined) return super.fields(key);
    return new Map(
      Object.entries(own).map(([name, type]) => [name, { type, within: [], omitsEmpty: false, zero: undefined }]),
    );
  }
}
