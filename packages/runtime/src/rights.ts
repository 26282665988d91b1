export { type GuessedResource, guessedResources, guessWarnings } from './rights/guessed-resources.js';
export { type Resource, resourceOf } from './rights/resource-of.js';
export { rightsOf } from './rights/rights-of.js';
