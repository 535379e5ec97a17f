/** Run by development-ca.test.ts: opens the CA in the given folder and prints the SHA-256 of its root. */
import { hash } from 'node:crypto';
import { ensureDevelopmentCa } from '../../../src/infra/signer/development-ca.ts';
import { createAuthorities } from '../../../src/package/signing/authorities.ts';

const signer = await ensureDevelopmentCa(process.argv[2] ?? '', { environment: 'development', createAuthorities });
console.log(hash('sha256', signer.chain().at(-1) ?? ''));
