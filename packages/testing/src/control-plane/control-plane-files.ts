import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority, type KeyPair, newSigningKeys, type Subject } from './authority.js';
import { kubeconfigOf } from './kubeconfig.js';

/** The address of the Service `kubernetes` in the range of Service addresses. */
const firstServiceAddress = '10.96.0.1';
const apiServerSubject: Subject = {
  commonName: 'kube-apiserver',
  hosts: [
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    '127.0.0.1',
    firstServiceAddress,
  ],
};
/** The clients that authenticate with a certificate, by file name. */
const clients: Readonly<Record<string, Subject>> = {
  'kubelet-client': { commonName: 'kube-apiserver-kubelet-client', organization: 'system:masters' },
  'kube-controller-manager': { commonName: 'system:kube-controller-manager' },
  'kube-scheduler': { commonName: 'system:kube-scheduler' },
  kwok: { commonName: 'kwok', organization: 'system:masters' },
};

/** The folder with all files of one control plane. Only the user of this process can read the folder. */
export class ControlPlaneFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'kubewright-control-plane-'));
  /** The administrator's bearer token. */
  readonly adminToken = randomBytes(24).toString('base64url');
  readonly #authority: Authority;

  private constructor(authority: Authority) {
    this.#authority = authority;
  }

  /** Creates the keys, the certificates and the kubeconfigs. `server` is the URL of the API server in the kubeconfigs. */
  static async create(server: string): Promise<ControlPlaneFiles> {
    const [authority, frontProxy] = await Promise.all([
      Authority.create('control-plane-ca'),
      Authority.create('front-proxy-ca'),
    ]);
    const files = new ControlPlaneFiles(authority);
    files.write('ca.crt', authority.certificate);
    files.write('ca.key', await authority.privateKey());
    files.write('front-proxy-ca.crt', frontProxy.certificate);
    files.write('tokens.csv', `${files.adminToken},kubernetes-admin,kubernetes-admin,"system:masters"\n`);
    mkdirSync(files.path('log'));
    const signing = await newSigningKeys();
    files.write('sa.key', signing.privateKey);
    files.write('sa.pub', signing.publicKey);
    await files.rotateServingCertificate();
    await files.#issue('kubelet', { commonName: 'fake-kubelet', hosts: ['localhost', '127.0.0.1'] });
    await files.#issue('front-proxy-client', { commonName: 'front-proxy-client' }, frontProxy);
    for (const [name, subject] of Object.entries(clients)) {
      const clientCertificate = await files.#issue(name, subject);
      files.write(`${name}.kubeconfig`, kubeconfigOf({ server, ca: authority.certificate, clientCertificate }));
    }
    return files;
  }

  /** The certificate authority of the server and its clients, as PEM. */
  get certificateAuthority(): string {
    return this.#authority.certificate;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Replaces a folder with a copy of another folder. */
  copy(from: string, to: string): void {
    rmSync(this.path(to), { recursive: true, force: true });
    cpSync(this.path(from), this.path(to), { recursive: true });
  }

  /** Replaces the serving certificate with a new certificate of the same authority. */
  async rotateServingCertificate(): Promise<void> {
    await this.#issue('apiserver', apiServerSubject);
  }

  /** Returns a client certificate that authenticates this user. */
  clientCertificate(subject: Pick<Subject, 'commonName' | 'organization'>): Promise<KeyPair> {
    return this.#authority.issue(subject);
  }

  /** Returns a serving certificate of the same authority, for a proxy in front of the API server. */
  servingCertificate(): Promise<KeyPair> {
    return this.#authority.issue({ commonName: 'proxy', hosts: ['127.0.0.1', 'localhost'] });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #issue(name: string, subject: Subject, authority = this.#authority): Promise<KeyPair> {
    const pair = await authority.issue(subject);
    this.write(`${name}.crt`, pair.cert);
    this.write(`${name}.key`, pair.key);
    return pair;
  }

  /** Writes a file that only the user of this process can read. Returns the path of the file. */
  write(name: string, content: string): string {
    const path = this.path(name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }
}
