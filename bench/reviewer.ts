import { createAccount, grantRule } from '../src/domain/accounts/administration.ts';

/** Creates an account that may review every type of add-on in both channels. The database must be in use. */
export async function createReviewer(): Promise<{ id: number; username: string }> {
  const username = `bench-${Date.now().toString(36)}`;
  const { id } = await createAccount({ username, email: `${username}@example.org` });
  for (const rule of ['Addons:Review', 'Addons:ThemeReview', 'Addons:ReviewUnlisted']) {
    await grantRule({ group: 'Bench reviewers', rule, username });
  }
  return { id, username };
}
