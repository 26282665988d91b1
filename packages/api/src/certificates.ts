export type { CertificateContent } from './certificates/issue-certificate.js';
export {
  encodedName,
  extensions,
  issueCertificate,
  keyText,
  newKeyPair,
} from './certificates/issue-certificate.js';
