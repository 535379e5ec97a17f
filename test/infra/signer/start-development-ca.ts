/** Run by development-ca.test.ts: opens the CA in the given folder and prints the SHA-256 of its root. */
import { ensureDevelopmentCa } from '../../../src/infra/signer/development-ca.ts';
import { createAuthorities } from '../../../src/package/signing/authorities.ts';

const signer = await ensureDevelopmentCa(process.argv[2] ?? '', { environment: 'development', createAuthorities });
console.log(signer.issuer.rootSha256);
