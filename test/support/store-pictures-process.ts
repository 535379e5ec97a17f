/*
 * Sets icons and adds previews continuously until it is killed, and prints each acknowledged one. Arguments: the account, the
 * add-on, the round.
 */
import { Readable } from 'node:stream';
import { addPreview } from '../../src/domain/pictures/edit-previews.ts';
import { setAddonIcon } from '../../src/domain/pictures/set-picture.ts';
import { db } from '../../src/infra/db.ts';
import { png } from './pictures.ts';

const [accountId = 0, addonId = 0, round = 0] = process.argv.slice(2).map(Number);
const via = { scheme: 'bearer', tokenId: 0, signedInAt: new Date() } as const;
const viewer = { kind: 'account', accountId, username: 'killed', rules: [], via } as const;

const fileOf = (bytes: Buffer) =>
  Promise.resolve({ fileName: 'picture.png', mimeType: 'image/png', open: () => Readable.from([bytes]) });

for (let number = 0; number < 25; number++) {
  const colour = `#${(round * 25 + number + 1).toString(16).padStart(6, '0')}`;
  await setAddonIcon(viewer, addonId, fileOf(await png(80, 80, colour)));
  const { iconSha256 } = await db.addon.findUniqueOrThrow({ where: { id: addonId } });
  console.log(`icon ${iconSha256}`);
  console.log(`preview ${await addPreview(viewer, addonId, fileOf(await png(90, 60, colour)), {})}`);
}
