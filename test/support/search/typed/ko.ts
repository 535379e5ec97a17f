import { language } from './tables.ts';

/** Korean: spaces left out or added, particles, decomposed syllables. */
export const KOREAN = language(
  'ko',
  `
  13001 | 87000 | 페이지 번역기 두루미 | 외국 글을 우리말로 보여 줍니다.
  13002 | 2900 | 번역기 모음
  13003 | 41000 | 탭 정리 다람쥐 | 열린 탭을 정리합니다.
  13004 | 660 | 정리 상자
  13005 | 150000 | 광고 차단 부엉이 | 성가신 배너를 없앱니다.
  13006 | 17 | 부엉이
  13007 | 23000 | 화면 캡처 제비
  13008 | 5400 | 화면캡처 도구
  13009 | 310 | 확장 기능
  13010 | 68000 | 비밀번호 금고
  13011 | 7900 | 날씨 창문
  13012 | 140 | 날씨
  13013 | 12000 | 밤하늘 테마 | | type=statictheme
  13014 | 35000 | 즐겨찾기 보관함
  13015 | 820 | 한국어 사전 소나무 | | type=dictionary
  13016 | 4600 | 메모장 참새
  13017 | 97 | PDF 변환기 매
`,
  `
  required | cjk | 페이지번역기 | ^13001
  required | cjk | 번역기 페이지 | +13001
  required | cjk | 번역기를 | +13001,13002
  required | cjk | 화면캡처 | +13007,13008
  required | cjk | 화면 캡처 | +13007,13008
  required | cjk | 캡처 화면 | +13007
  required | cjk | 광고차단 | ^13005
  required | cjk | 차단 광고 | +13005
  required | cjk | 광고를 차단 | ^13005
  required | cjk | 탭을 정리 | +13003
  required | cjk | 정리 탭 | +13003
  required | cjk | 비밀 번호 금고 | ^13010
  required | cjk | 비밀번호를 | +13010
  required | cjk | 날씨가 | +13011,13012
  required | cjk | 즐겨 찾기 | ^13014
  required | cjk | 즐겨찾기를 | +13014
  required | cjk | 한국어사전 | ^13015
  required | cjk | 사전 한국어 | +13015
  required | cjk | pdf변환기 | ^13017
  required | cjk | 변환기 PDF | +13017
  nice | cjk | 화면캡쳐 | +13008
  nice | cjk | 금고의 비밀번호 | +13010
  required | signs | \u1102\u1161\u11AF\u110A\u1175 | ^13012
  required | category | 번역기 확장 기능 | +13001,13002
  required | category | 광고 차단 확장기능 | ^13005
  required | category | 탭 정리 부가 기능 | ^13003
  required | category | 확장 기능 | ^13009
  required | category | 확장기능 | ^13009
  required | category | 밤하늘 테마 | ^13013
  nice | category | 화면 캡처 확장 프로그램 | +13007
  nice | category | 메모장 애드온 | ^13016
  required | letter | 날씨 창 | ^13011 !13012
  required | letter | 탭 정리 다 | ^13003
  required | letter | 화면 캡처 제 | ^13007 !13008
  required | exact | 부엉이 | 13006>13005
  required | whole | 비밀번호금고 | =13010
  required | start | 메모장 | ^13016
  required | phrase | 차단 부엉이 | ^13005
  required | prefix | 비밀 | ^13010
  required | loose | 비밀반호 금고 | +13010
  required | popularity | 정리 | 13003>13004
  required | noise | 참외 | !13016
  required | filter | 사전 | =13015 | types=dictionary
  required | cjk | 화면을 캡처 | +13007
  required | cjk | 페이지의 번역기 | +13001
  required | cjk | 날씨는 | +13011,13012
  required | cjk | 금고에 비밀번호 | +13010
  required | cjk | 다람쥐 탭 정리 | +13003
  required | cjk | 부엉이가 | +13005,13006
  required | category | 부가 기능 메모장 | ^13016
  required | category | 밤하늘 테마 확장 기능 | ^13013
`,
);
