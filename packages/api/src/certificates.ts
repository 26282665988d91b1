export {
  encodedName,
  extensions,
  issueCertificate,
  keyText,
  newKeyPair,
} from './certificates/issue-certificate.js';
