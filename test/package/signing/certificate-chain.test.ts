import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  ExtendedKeyUsage,
  Extension,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectKeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  NameConstraints,
} from '@peculiar/asn1-x509';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorityExtensions, endEntityExtensions } from '../../../src/package/signing/certificates.ts';
import { chainProblems, findChain } from '../../../src/package/signing/verify/certificate-chain.ts';
import { type ReadCertificate, readCertificate } from '../../../src/package/signing/verify/certificate-reader.ts';
import { type CertificateParts, certificate, keyIdOf, newKeyPair } from './signing-fixture.ts';

const rootKey = newKeyPair('P-384').privateKey;
const intermediateKey = newKeyPair('P-384').privateKey;
const key = newKeyPair('P-256').privateKey;
const root = { key: rootKey, name: 'Root' };
const intermediate = { key: intermediateKey, name: 'Intermediate' };
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const SERVER = '1.3.6.1.5.5.7.3.1';
const DAY = 86_400_000;

function extension(id: string, value: object, critical = false): Extension {
  return new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** The list with extensions of the same kind replaced, and other extensions added. */
function replaced(list: Extension[], ...changes: Extension[]): Extension[] {
  return [...list.filter((item) => !changes.some((change) => change.extnID === item.extnID)), ...changes];
}

function without(list: Extension[], id: string): Extension[] {
  return list.filter((item) => item.extnID !== id);
}

const rootExtensions = authorityExtensions(keyIdOf(rootKey), null, 1);
const middleExtensions = authorityExtensions(keyIdOf(intermediateKey), keyIdOf(rootKey), 0);
const endExtensions = endEntityExtensions(keyIdOf(key), keyIdOf(intermediateKey), 'a.b.addons.internal');

interface Changes {
  root?: Partial<CertificateParts>;
  intermediate?: Partial<CertificateParts>;
  end?: Partial<CertificateParts>;
}

async function chainWith(changes: Changes): Promise<ReadCertificate[]> {
  const made = [
    await certificate({ key, name: 'end', issuer: intermediate, extensions: endExtensions, ...changes.end }),
    await certificate({ ...intermediate, issuer: root, extensions: middleExtensions, ...changes.intermediate }),
    await certificate({ ...root, issuer: root, extensions: rootExtensions, ...changes.root }),
  ];
  return made.map(readCertificate);
}

function constraint(part: 'permittedSubtrees' | 'excludedSubtrees', domain: string): Extension {
  const subtrees = new GeneralSubtrees([new GeneralSubtree({ base: new GeneralName({ dNSName: domain }) })]);
  return extension(id_ce_nameConstraints, new NameConstraints({ [part]: subtrees }), true);
}

const usage = (flags: number) => extension(id_ce_keyUsage, new KeyUsage(flags), true);
const purposes = (...ids: string[]) => extension(id_ce_extKeyUsage, new ExtendedKeyUsage(ids));
const end = (extensions: Extension[]): Changes => ({ end: { extensions } });
const middle = (extensions: Extension[]): Changes => ({ intermediate: { extensions } });
const past = new Date(Date.now() - DAY);
const future = new Date(Date.now() + DAY);

const flawed: [string, Changes, RegExp][] = [
  [
    'an end entity that is an authority',
    end(
      replaced(
        endExtensions,
        extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
        usage(KeyUsageFlags.keyCertSign),
      ),
    ),
    /CN=end" is an authority itself/,
  ],
  [
    'an end entity for more than signatures',
    end(replaced(endExtensions, usage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment))),
    /CN=end" is not limited to digital signatures/,
  ],
  ['an end entity without key usage', end(without(endExtensions, id_ce_keyUsage)), /not limited to digital signatures/],
  [
    'an end entity for servers too',
    end(replaced(endExtensions, purposes(CODE_SIGNING, SERVER))),
    /not limited to code signing/,
  ],
  ['an end entity without purpose', end(without(endExtensions, id_ce_extKeyUsage)), /not limited to code signing/],
  [
    "an end entity that does not name its issuer's key",
    end(without(endExtensions, id_ce_authorityKeyIdentifier)),
    /does not name its issuer/,
  ],
  ['an end entity that expired', { end: { notAfter: past, notBefore: new Date(0) } }, /CN=end" expired on/],
  ['an end entity of the future', { end: { notBefore: future } }, /CN=end" is not valid before/],
  [
    'an end entity with an unknown critical extension',
    end([...endExtensions, new Extension({ extnID: '1.2.3.4', critical: true, extnValue: new OctetString([5, 0]) })]),
    /a critical extension that is not understood \(1\.2\.3\.4\)/,
  ],
  ['an end entity with a short RSA key', { end: { key: newKeyPair(1024).privateKey } }, /has a key that is too weak/],
  [
    'an intermediate that is no authority',
    middle(replaced(middleExtensions, extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true))),
    /CN=Intermediate" is not an authority/,
  ],
  [
    'an intermediate for servers',
    middle(replaced(middleExtensions, purposes(SERVER))),
    /CN=Intermediate" is not for code signing/,
  ],
  [
    'an intermediate without key identifier',
    middle(without(middleExtensions, id_ce_subjectKeyIdentifier)),
    /has no key identifier/,
  ],
  [
    'an intermediate that expired',
    { intermediate: { notAfter: past, notBefore: new Date(0) } },
    /CN=Intermediate" expired on/,
  ],
  [
    'an intermediate for another domain',
    middle([...middleExtensions, constraint('permittedSubtrees', 'example.com')]),
    /does not allow the names/,
  ],
  [
    'an intermediate that excludes the domain',
    middle([...middleExtensions, constraint('excludedSubtrees', 'addons.internal')]),
    /does not allow the names/,
  ],
  [
    'a root that allows no authority below it',
    { root: { extensions: authorityExtensions(keyIdOf(rootKey), null, 0) } },
    /CN=Root" has more authorities below it than it allows/,
  ],
];

describe('a certificate chain', () => {
  let good: ReadCertificate[];
  beforeAll(async () => {
    good = await chainWith({});
  });

  it('is accepted as the signer creates it', async () => {
    const [endEntity, ...authorities] = good;
    if (!endEntity) throw new Error('There is no end entity.');
    expect(findChain(endEntity, authorities.slice(0, 1), authorities.slice(1))).toEqual(good);
    expect(chainProblems(good, new Date())).toEqual([]);
  });

  it('is accepted if its intermediate is limited to the domain of the names', async () => {
    const limited = await chainWith(middle([...middleExtensions, constraint('permittedSubtrees', '.addons.internal')]));
    expect(chainProblems(limited, new Date())).toEqual([]);
  });

  it('is not found without its intermediate, or for another root of the same name', async () => {
    const [endEntity, authority, trusted] = good;
    const impostorKey = newKeyPair('P-384').privateKey;
    const impostor = { key: impostorKey, name: 'Root' };
    const extensions = authorityExtensions(keyIdOf(rootKey), null, 1);
    const sameName = readCertificate(await certificate({ ...impostor, issuer: impostor, extensions }));
    if (!endEntity || !authority || !trusted) throw new Error('The chain is short.');
    expect(findChain(endEntity, [], [trusted])).toBeNull();
    expect(findChain(endEntity, [authority], [sameName])).toBeNull();
  });

  it.each(flawed)('is refused with %s', async (_, changes, problem) => {
    const problems = chainProblems(await chainWith(changes), new Date());
    expect(problems.join('\n')).toMatch(problem);
  });
});

it('a path longer than the limit is not followed', async () => {
  const keys = Array.from({ length: 10 }, () => newKeyPair('P-256').privateKey);
  const names = keys.map((_, index) => ({ key: keys[index] ?? key, name: `Authority ${index}` }));
  const made = await Promise.all(
    names.map(async (own, index) => {
      const issuer = names[index + 1] ?? own;
      const extensions = authorityExtensions(keyIdOf(own.key), keyIdOf(issuer.key), 9);
      return readCertificate(await certificate({ ...own, issuer, extensions }));
    }),
  );
  const [first, ...others] = made;
  const trusted = made.slice(-1);
  if (!first) throw new Error('There is no certificate.');
  expect(findChain(first, others, trusted)).toBeNull();
  expect(findChain(made[2] ?? first, others, trusted)).toHaveLength(8);
});
