/** Supported language codes, in the spelling of the contract. */
export const SUPPORTED_LOCALES: readonly string[] = (
  'af ar ast az bg bn bs ca cak cs da de dsb el en-CA en-GB en-US es et eu fa fi fr fy-NL ga-IE gl he hi-IN hr hsb hu id ' +
  'is it ja ka kab ko lt lv mk mn ms nb-NO nl nn-NO pa-IN pl pt-BR pt-PT ro ru sk sl sq sr sv-SE te th tr uk ur vi ' +
  'zh-CN zh-TW'
).split(' ');
