/**
 * Loads the library that creates certificates. The library needs 20 MB of memory, so only a replica that creates a certificate loads the
 * library. Node.js itself reads and verifies certificates.
 */
export async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  // The library requires `reflect-metadata` to be loaded first.
  await import('reflect-metadata');
  return (await import('@peculiar/x509')).default;
}
