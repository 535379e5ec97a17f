/*
 * Links in plain text and HTML, in texts whose authors may not publish links (docs/decisions.md D89). Every check takes time in proportion
 * to the text.
 */

/** Country codes, without those that are known as endings of file names: md, py, rs, sh. */
const COUNTRIES = new Set(
  (
    'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ' +
    'ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq ' +
    'gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ' +
    'ls lt lu lv ly ma mc me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ' +
    'ph pk pl pm pn pr ps pt pw qa re ro ru rw sa sb sc sd se sg si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl ' +
    'tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
  ).split(' '),
);
/** Other endings that are in common use. */
const ENDINGS = new Set(
  (
    'com net org info biz edu gov mil int name pro aero coop jobs mobi museum travel tel cat post xxx app art asia bio blog cafe chat ' +
    'click cloud club codes dev digital download email fun games global group guru help host icu ink link live lol market media money ' +
    'monster network news ninja online page photo photos pics porn press promo racing review rocks sale sex shop site social software ' +
    'solutions space store stream studio support systems tech technology tips today tools top trade video vip website wiki win work ' +
    'world wtf xyz zone'
  ).split(' '),
);

/** Country codes count in the case of their host name only: "here.In" starts a sentence. */
function isEnding(label: string, host: string): boolean {
  const lower = label.toLowerCase();
  if (ENDINGS.has(lower) || lower.startsWith('xn--')) return true;
  return COUNTRIES.has(lower) && (label === lower || host === host.toUpperCase());
}

const ENTITIES: Readonly<Record<string, string>> = { colon: ':', sol: '/', period: '.' };

/** The text with entities decoded, and the forms of characters that a browser or a font shows alike replaced by the plain ones. */
function plain(text: string): string {
  return text
    .replace(/&#(\d{1,7});?/g, (_all, code: string) => character(Number(code)))
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_all, code: string) => character(Number.parseInt(code, 16)))
    .replace(/&(colon|sol|period);/g, (_all, name: string) => ENTITIES[name] ?? '')
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/[\p{Default_Ignorable_Code_Point}\t\r\n]/gu, (ignored) => (/\s/.test(ignored) ? ' ' : ''));
}

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** A scheme, a host without one, and the attribute of links. */
const LINK = /[a-z][a-z0-9+.-]{0,30}:\/\/|mailto:|\bwww\.|\/\/[\p{L}\p{N}[]|\bhref\s*=/iu;

/** Whether a text contains an address: with a scheme, as an HTML link, or as a bare host name with a known ending. */
export function hasLink(text: string): boolean {
  const shown = plain(text);
  return LINK.test(shown) || shown.split(/[^\p{L}\p{N}.-]+/u).some(isHostName);
}

function isHostName(word: string): boolean {
  const labels = word.split('.');
  return labels.some((label, index) => index > 0 && labels[index - 1] !== '' && isEnding(label, word));
}
