import { language } from './tables.ts';

/** Turkish: dotted and dotless i, suffixes typed without accents. */
export const TURKISH = language(
  'tr',
  `
  10001 | 73000 | Çeviri Leylek | Metni başka bir dilde gösterir.
  10002 | 2200 | Hızlı Çeviriler
  10003 | 41000 | Sekme Düzeni | Açık olanları sıralar.
  10004 | 380 | Sekmeler Kutusu
  10005 | 160000 | Şifre Kasası | Giriş bilgilerini saklar.
  10006 | 5700 | Sözlük Çınar | | type=dictionary
  10007 | 91000 | Reklam Engelleyici Kirpi | Rahatsız eden afişleri kaldırır.
  10008 | 14 | Kirpi
  10009 | 8300 | Yer İmi Sepeti
  10010 | 26000 | Yerimi Defteri
  10011 | 470 | Eklenti
  10012 | 3100 | Işık Gölge | | type=statictheme
  10013 | 19000 | İstanbul Havası
  10014 | 210 | Isparta Gülleri | | type=statictheme
  10015 | 12000 | Görsel İndirici
  10016 | 630 | Çiçek Bahçesi | | type=statictheme
  10017 | 34000 | Sayfa Yazdır
`,
  `
  required | inflection | sekme | +10003,10004
  required | inflection | sekmeler | +10003,10004
  required | inflection | sekmeleri | +10003,10004
  required | inflection | şifreler | +10005
  required | inflection | sifreler | +10005
  required | inflection | sözlükler | +10006
  nice | inflection | sozlukler | +10006
  required | inflection | ışıklar | +10012
  nice | inflection | isiklar | +10012
  required | inflection | gölgeler | +10012
  required | inflection | golgeler | +10012
  required | inflection | çiçekler | +10016
  required | inflection | görseller | +10015
  required | inflection | gorseller | +10015
  required | inflection | sayfalar | +10017
  required | inflection | reklamlar | +10007
  required | signs | cicek bahcesi | ^10016
  required | signs | isik golge | ^10012
  required | signs | istanbul havasi | ^10013
  required | signs | İSTANBUL HAVASI | ^10013
  required | signs | ISPARTA gülleri | ^10014
  required | signs | hizli ceviriler | ^10002
  required | category | çeviri leylek eklentisi | ^10001
  required | category | eklenti şifre kasası | ^10005
  required | category | sekme düzeni eklentisi | ^10003
  required | category | reklam engelleyici uzantı | ^10007
  required | category | eklenti | ^10011
  required | category | işık gölge tema | +10012
  nice | category | nasıl çeviri yapılır | +10001
  required | joined | yerimi | +10009,10010
  required | joined | yer imi | +10009,10010
  required | joined | yerimi sepeti | ^10009
  required | joined | sayfayazdır | ^10017
  required | letter | sekme d | ^10003
  required | letter | çeviri l | ^10001
  required | letter | yer imi s | ^10009
  required | letter | isik g | ^10012
  required | exact | kirpi | 10008>10007
  required | whole | sifrekasasi | =10005
  required | start | görsel | ^10015
  required | phrase | engelleyici kirpi | =10007
  required | words | leylek çeviri | =10001
  required | prefix | çevir | +10001,10002
  required | prefix | engel | +10007
  required | loose | çevrii leylek | ^10001
  required | loose | şirfe kasası | ^10005
  required | popularity | çeviri | 10001>10002
  required | noise | kirpik | !10016
  required | filter | ışık | =10012 | types=statictheme
  required | inflection | kirpiler | +10008
  required | inflection | defterler | +10010
  required | inflection | çiçekler bahçesi | ^10016
  required | letter | sayfa y | ^10017
  required | letter | şifre k | ^10005
  required | signs | SEKME DÜZENİ | ^10003
  nice | category | en iyi çeviri eklentisi | ^10001
  required | category | tab orchard için eklenti | ^1029
`,
);
