/**
 * Loads the library that creates certificates. Loading takes more time and memory than the start of a small server without the library, so
 * a server with an existing certificate does not load the library.
 */
export async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  // The library requires `reflect-metadata` to be loaded first.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
