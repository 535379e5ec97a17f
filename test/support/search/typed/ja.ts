import { language } from './tables.ts';

/** Japanese: words in another order, particles, a change of script inside a run. */
export const JAPANESE = language(
  'ja',
  `
  11001 | 98000 | ページ翻訳カワセミ | 外国語のサイトを読みやすくします。
  11002 | 4200 | 翻訳ページ係
  11003 | 150000 | タブ管理フクロウ | 開いたものを一覧で見せます。
  11004 | 870 | 管理タブ箱
  11005 | 36000 | 広告遮断キツネ | うるさい宣伝を消します。
  11006 | 2100 | 画面保存ツバメ
  11007 | 12000 | 画像まとめ保存
  11008 | 64000 | パスワード金庫 | 合言葉を預かります。
  11009 | 390 | 拡張機能
  11010 | 7600 | しおり帳
  11011 | 240 | 天気予報の窓
  11012 | 51000 | 天気メモ
  11013 | 18000 | 夜空テーマ | | type=statictheme
  11014 | 130 | 夜空 | | type=statictheme
  11015 | 9400 | 日本語辞典モミジ | | type=dictionary
  11016 | 27000 | RSS新聞
  11017 | 320 | お気に入り整理
  11018 | 83000 | ﾒﾓ帳スズメ
  11019 | 3300 | 黒い背景
`,
  `
  required | cjk | ページ翻訳 | ^11001 +11002
  required | cjk | 翻訳ページ | ^11002 +11001
  required | cjk | ページの翻訳 | +11001,11002
  required | cjk | タブ管理 | ^11003 +11004
  required | cjk | 管理タブ | ^11004 +11003
  required | cjk | タブの管理 | +11003,11004
  required | cjk | 画像保存 | ^11007 !11006
  required | cjk | 保存画面 | +11006 !11007
  required | cjk | 遮断広告 | +11005
  required | cjk | 天気予報 | ^11011 !11012
  required | cjk | 予報天気 | +11011 !11012
  required | cjk | 天気を | +11011,11012
  required | cjk | しおりを | +11010
  required | cjk | 金庫パスワード | +11008
  required | cjk | パスワードの金庫 | +11008
  required | cjk | 日本語の辞典 | +11015
  required | cjk | 日本語 辞典 | ^11015
  required | cjk | 夜空のテーマ | +11013
  required | cjk | rss 新聞 | ^11016
  required | cjk | 新聞rss | +11016
  required | cjk | 翻訳 | +11001,11002
  required | cjk | 翻 | +11001,11002 !11003
  nice | cjk | お気に入りを整理 | +11017
  nice | cjk | 管理箱 | +11004
  nice | cjk | 翻訳するページ | +11001
  required | signs | メモ帳 | ^11018
  required | signs | ﾒﾓ帳 | ^11018
  required | signs | メモ | +11012,11018
  required | signs | ＲＳＳ新聞 | ^11016
  required | category | タブ管理 拡張機能 | ^11003
  required | category | タブ管理拡張機能 | +11003
  required | category | 広告遮断 アドオン | ^11005
  required | category | 拡張機能 | ^11009
  required | category | 夜空テーマ | ^11013
  nice | category | ページ翻訳の拡張機能 | +11001
  nice | category | 広告を消す方法 | +11005
  required | letter | 天気 メ | ^11012 !11011
  required | letter | 夜空 テ | +11013
  required | exact | 夜空 | 11014>11013
  required | whole | 広告遮断 キツネ | ^11005
  required | start | 画面 | ^11006
  required | phrase | 管理フクロウ | ^11003
  required | prefix | パスワ | ^11008
  required | prefix | 翻訳ペ | ^11002
  required | loose | パスワド金庫 | ^11008
  required | popularity | 天気 | 11012>11011
  required | noise | 金魚 | !11008
  required | noise | 保存箱 | !11006,11007
  required | filter | 日本語 | =11015 | types=dictionary
  required | cjk | 広告を遮断 | +11005
  required | cjk | 天気の予報 | +11011
  required | cjk | 画面の保存 | +11006
  required | cjk | ツバメ画面 | +11006
  required | cjk | タブ 管理 | +11003,11004
  required | cjk | パスワード 金庫 | ^11008
  required | cjk | メモと天気 | +11012
  required | cjk | 夜空は | +11013,11014
  required | category | 夜空 テーマ 拡張機能 | +11013
  required | category | 拡張機能 翻訳 | +11001,11002
  required | category | ページ翻訳アドオン | ^11001
  required | cjk | ページを翻訳 | +11001,11002
  nice | category | おすすめの翻訳アドオン | +11001,11002
  required | cjk | 背景黒い | +11019
  nice | cjk | 白い背景 | !11019
  required | category | 夜空テーマ アドオン | ^11013
  required | category | 夜空テーマ 拡張機能 | ^11013
`,
);
