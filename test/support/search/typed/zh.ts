import { language } from './tables.ts';

/** Simplified Chinese: words in another order, category words without a space. */
export const CHINESE = language(
  'zh-CN',
  `
  12001 | 130000 | 网页翻译白鹭 | 把外文变成中文。
  12002 | 3600 | 翻译网页助手
  12003 | 72000 | 标签页整理狐 | 让窗口保持整齐。
  12004 | 590 | 整理标签盒
  12005 | 210000 | 广告拦截刺猬 | 去掉烦人的横幅。
  12006 | 25 | 拦截广告小队
  12007 | 46000 | 密码保险箱 | 妥善保存登录信息。
  12008 | 8100 | 网页截图燕子
  12009 | 340 | 截图网页夹
  12010 | 15000 | 夜间模式灯笼
  12011 | 480 | 扩展
  12012 | 29000 | 天气小窗
  12013 | 66 | 天气
  12014 | 7200 | 书签的家
  12015 | 53000 | 书签同步竹
  12016 | 1900 | PDF阅读器青松
  12017 | 110 | 阅读模式
`,
  `
  required | cjk | 网页翻译 | ^12001 +12002
  required | cjk | 翻译网页 | ^12002 +12001
  required | cjk | 广告拦截 | ^12005 +12006
  required | cjk | 拦截广告 | 12006>12005
  required | cjk | 标签整理 | +12003,12004
  required | cjk | 整理标签 | ^12004 +12003
  required | cjk | 整理标签页 | +12003
  required | cjk | 网页截图 | ^12008 +12009
  required | cjk | 截图网页 | ^12009 +12008
  required | cjk | 保险密码 | +12007
  required | cjk | 同步书签 | +12015 !12014
  required | cjk | 夜间灯笼 | +12010
  required | cjk | 灯笼夜间模式 | +12010
  required | cjk | 书签 同步 | ^12015
  required | cjk | 书签的家 | ^12014
  required | cjk | pdf 阅读器 | ^12016
  required | cjk | 阅读器pdf | +12016
  required | cjk | ＰＤＦ阅读 | ^12016
  required | cjk | 阅读模式 | ^12017 !12010,12016
  required | cjk | 翻 | +12001,12002
  nice | cjk | 网页的翻译 | +12001
  nice | cjk | 截图的网页 | +12009
  nice | cjk | 助手翻译网页 | +12002
  nice | cjk | 广告的拦截 | +12005
  required | category | 网页翻译 扩展 | ^12001
  required | category | 网页翻译扩展 | ^12001
  required | category | 网页翻译插件 | ^12001
  required | category | 广告拦截 附加组件 | ^12005
  required | category | 密码保险箱插件 | ^12007
  required | category | 扩展 | ^12011
  nice | category | 怎么翻译网页 | +12002
  nice | category | 如何拦截广告 | +12006
  required | letter | 天气 小 | ^12012 !12013
  required | letter | 书签 同 | ^12015
  required | exact | 天气 | 12013>12012
  required | exact | 密码保险箱 | ^12007
  required | whole | 密码 保险箱 | ^12007
  required | start | 标签页 | ^12003
  required | phrase | 模式灯笼 | ^12010
  required | prefix | 密码保 | ^12007
  required | prefix | 密 | +12007
  required | loose | 密码宝险箱 | +12007
  required | popularity | 书签 | 12015>12014
  required | noise | 小狗 | =
  required | noise | 刺绣 | !12005
  required | cjk | 同步 书签 | ^12015
  required | cjk | 翻译 网页 | +12001,12002
  required | cjk | 标签页 整理 | ^12003
  required | cjk | 白鹭翻译 | +12001
  required | cjk | 模式夜间 | +12010
  required | category | 网页翻译白鹭扩展 | ^12001
  required | category | 插件 广告拦截 | ^12005
  required | category | 书签同步扩展 | ^12015
  required | category | 翻译插件 | +12001,12002
  nice | category | 最好的广告拦截插件 | ^12005
  nice | cjk | 广告拦截器 | +12005
  nice | cjk | 網頁翻譯 | +12001
`,
);
