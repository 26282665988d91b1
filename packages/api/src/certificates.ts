export { bitString, der, explicit, integer, objectId, octetString, sequence, set, time } from './certificates/der.js';
export { ipBytes } from './certificates/ip-bytes.js';
