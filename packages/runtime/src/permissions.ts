export { type GuessedResource, guessedResources, guessWarnings } from './rbac/guessed-resources.js';
export { type Resource, resourceOf } from './rbac/resource-of.js';
export { permissionsOf } from './rbac/permissions-of.js';
