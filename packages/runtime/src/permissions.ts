export { type GuessedResource, guessedResources, guessWarnings } from './permissions/guessed-resources.js';
export { type Resource, resourceOf } from './permissions/resource-of.js';
export { permissionsOf } from './permissions/permissions-of.js';
