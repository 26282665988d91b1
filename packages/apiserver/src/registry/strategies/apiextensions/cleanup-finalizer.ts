/** The finalizer that delays the removal of a CustomResourceDefinition until all of its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
