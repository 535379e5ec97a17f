import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { config } from '../../src/config.ts';
import { OWN_RULES } from '../../src/package/validation/validation-results.ts';
import { translator } from '../../src/pages/texts.ts';
import { PAGES_EN } from '../../src/texts/pages.en.ts';
import { literalsOf } from '../support/html-templates.ts';
import { ROOT, readSources } from '../support/sources.ts';

const baseOf = (key: string): string => key.replace(/#(?:one|two|other)$/, '');

const sources = readSources('src/pages').map(({ path }) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe('the templates', () => {
  it('use every text', () => {
    const all = sources.map(({ text }) => text).join('\n');
    const prefixes = [...all.matchAll(/[`']([a-z][\w-]*\.[\w.-]*)\$\{/g)].map(([, prefix = '']) => prefix);
    const unused = [...new Set(Object.keys(PAGES_EN).map(baseOf))].filter(
      (key) => !all.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
    );
    // The layout shows the notices of forms by their names.
    expect(unused.filter((key) => !key.startsWith('done.'))).toEqual([]);
  });

  it('say in words what each permission rule allows', () => {
    const [, union = ''] =
      /export type Permission =([^;]*);/.exec(readFileSync(join(ROOT, 'src/auth/permissions.ts'), 'utf8')) ?? [];
    const rules = [...union.matchAll(/'([^']+)'/g)].map(([, rule = '']) => rule);
    expect(rules).toContain('Users:Edit');
    const named = Object.keys(PAGES_EN).filter((key) => /^admin\.rule\.\w+\.\w+$/.test(key));
    expect(named.toSorted()).toEqual(rules.map((rule) => `admin.rule.${rule.replace(':', '.')}`).toSorted());
  });

  it('have a name of each rule of the service that a validation reports', () => {
    const named = Object.keys(PAGES_EN).filter((key) => key.startsWith('validation.rule.'));
    expect(named.toSorted()).toEqual(
      Object.values(OWN_RULES)
        .map((rule) => `validation.rule.${rule.join('.')}`)
        .toSorted(),
    );
  });

  it('contain no words of their own', () => {
    const found = sources.flatMap(({ path, text }) =>
      literalsOf(text)
        .filter((literal) => /\p{L}/u.test(literal))
        .map((literal) => `${path}: ${literal.trim()}`),
    );
    expect(found).toEqual([]);
  });

  it('have neither inline styles nor inline scripts', () => {
    const found = sources.filter(({ text }) => /<style|<script>| style="| on[a-z]+="/.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

describe('texts that promise a mail to staff', () => {
  it('say that mails wait while no mail server is configured', () => {
    const configured = config.SMTP_URL;
    const text = () => String(translator('en')('moderation.owners-mail'));
    try {
      Object.assign(config, { SMTP_URL: 'smtp://localhost' });
      expect(text()).toBe('Its owners get a mail, and the audit log gets an entry.');
      Object.assign(config, { SMTP_URL: undefined });
      expect(text()).toMatch(/entry\. No mail server is set up: mails wait until there is one\.$/);
      expect(String(translator('en')('admin.groups.removed', { account: 'a', group: 'b' }))).not.toContain('mail');
    } finally {
      Object.assign(config, { SMTP_URL: configured });
    }
  });
});
