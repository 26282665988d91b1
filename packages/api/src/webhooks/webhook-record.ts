import type { KubeObject } from '../objects/kube-object.js';
import type { AdmissionOptions, AuthenticatorOptions, ConverterOptions } from './webhook-options.js';

/** The type of an admission webhook, by its decorator. */
export type AdmissionType = 'defaulter' | 'validator' | 'admission';

/** The options of one `@Defaulter`, `@Validator` or `@Admission`, as declared. */
export interface AdmissionRecord {
  readonly type: AdmissionType;
  readonly options: AdmissionOptions<KubeObject, string>;
}
/** The options of one `@Converter`, as declared. */
export interface ConverterRecord {
  readonly type: 'converter';
  readonly options: ConverterOptions<KubeObject, KubeObject>;
}
/** The options of one `@Authenticator`, as declared. */
export interface AuthenticatorRecord {
  readonly type: 'authenticator';
  readonly options: AuthenticatorOptions;
}
/** The options of one decorator for webhooks. */
export type WebhookRecord = AdmissionRecord | ConverterRecord | AuthenticatorRecord;
