import { type KeyObject, sign } from 'node:crypto';
import { extensions } from '@kubewright/api/certificates';

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sha256WithEcdsa = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const sha256WithRsa = der(0x30, der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05));
const extensionRequest = der(0x06, Buffer.from('2a864886f70d01090e', 'hex'));

/** Returns a certificate request for a public key, signed with the private key. */
export function certificateRequest(
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  { subject, hosts = [] }: { readonly subject: Uint8Array; readonly hosts?: readonly string[] },
): string {
  const requested = der(0x30, extensionRequest, der(0x31, der(0x30, extensions.hosts(hosts))));
  const info = der(
    0x30,
    der(0x02, Buffer.from([0])),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa0, ...(hosts.length === 0 ? [] : [requested])),
  );
  const algorithm = publicKey.asymmetricKeyType === 'rsa' ? sha256WithRsa : sha256WithEcdsa;
  const signature = der(0x03, Buffer.from([0]), sign('sha256', info, privateKey));
  const lines = der(0x30, info, algorithm, signature)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines}-----END CERTIFICATE REQUEST-----\n`;
}
