import { Field } from '@kubewright/api';

/** A DNS name, as this company writes it. */
export const DnsName = Field.custom(
  'DnsName',
  Field.string({ minLength: 1, maxLength: 253, pattern: /^[a-z0-9.-]+$/ }),
);
