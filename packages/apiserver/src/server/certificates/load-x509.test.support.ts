/** Loads the library with which tests create and read certificates. */
export async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  // The library requires `reflect-metadata` to be loaded first.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
