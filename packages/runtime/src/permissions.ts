export { type GuessedResource, guessedResources, guessWarnings } from './rbac/guessed-resources.js';
export { type Resource, resourceOf } from './rbac/resource-of.js';
export { permissionsOf } from './rbac/permissions-of.js';
export { type CertificateObjects, certificatePermissions } from './rbac/certificate-permissions.js';
export { MOUNTED_CERTIFICATES, type WebhookNames, webhookHosts, webhookNames } from './rbac/webhook-names.js';
