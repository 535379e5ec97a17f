import { language } from './tables.ts';

/** English, with the rules that do not depend on a language. */
export const ENGLISH = language(
  'en-US',
  `
  1001 | 62000 | Note Pad Deluxe | Keeps short texts in a side panel.
  1002 | 8400 | Notepad Corner | Write on any page.
  1003 | 150 | Blue Note Player | Plays jazz in the background.
  1004 | 210000 | Color Picker Studio | Takes a shade from any page.
  1005 | 900 | ColorPicker Mini
  1006 | 37000 | Rainbow Dropper | A colorpicker with a palette.
  1007 | 120000 | Screenshot Falcon | Captures the visible area or a part of it.
  1008 | 5600 | Full Page Screen Shot Kit
  1009 | 18000 | Bookmark Basket | Collects pages for later.
  1010 | 640 | Book Mark Ribbon
  1011 | 45000 | Password Burrow | Stores logins on your own computer.
  1012 | 2100 | Pass Word Notebook
  1013 | 96000 | Dark Harbor Theme | | type=statictheme
  1014 | 15000 | Dark Harbor | Dims bright pages at night.
  1015 | 310000 | Calendar Weekly
  1016 | 12000 | Wide Calendar
  1017 | 7800 | Calendar Sidebar
  1018 | 300 | Weekly Calendar Print
  1019 | 880000 | Shield Warden | Stops ads and trackers on every page. | tags=blocker,ads
  1020 | 23000 | Ad Curtain | Blocks ads in videos. | tags=ads
  1021 | 1200 | Extension | Lists what is installed.
  1022 | 400 | Add-on Manager Plus
  1023 | 55 | Theme
  1024 | 67000 | Kestrel™ Scribbles
  1025 | 3100 | Osprey® Mail Check
  1026 | 1900 | Link\u200BHarbor
  1027 | 700 | Auto\u00ADmatic Scroller
  1028 | 5400 | Tin Drum Radio
  1029 | 260000 | Tab Orchard | Arranges tabs in rows.
  1030 | 9200 | Tab Orchard Lite
  1031 | 330 | Orchard
  1032 | 41000 | Video Magpie | Save videos from a page.
  1033 | 150000 | Magpie Downloader
  1034 | 3 | Sheild
  1035 | 900000 | Velvet Reader
  1036 | 8 | Velvit
  1037 | 73000 | Mouse Ribbon | Gestures in every direction.
  1038 | 16000 | Gesture Mouse Pro | | experimental=yes
  1039 | 16000 | Gesture Mouse Basic
  1040 | 2500 | Weather Pebble | Shows the forecast in the toolbar.
  1041 | 88000 | Pebble Weather Radar
  1042 | 130 | Weather
  1043 | 500000 | Spell Otter | Checks spelling while you write.
  1044 | 990 | English Dictionary of Gardening | | type=dictionary
  1045 | 4300 | Quiet Clipboard | Remembers what you copy.
  1046 | 4300 | Clipboard History Jar
  1047 | 61000 | PDF Lantern | Reads documents on a dark background.
  1048 | 7100 | Lantern PDF Merge
  1049 | 20 | 3D Globe Tab
  1050 | 48000 | RSS Gazette | Feeds in a newspaper layout.
  1051 | 1400 | Gazette
  1052 | 36000 | What To Cook
  1053 | 2800 | How Do I Fold This | Paper cranes, step by step.
  1054 | 170000 | Proxy Ferry | Switches the connection with one click.
  1055 | 600 | Ferry Times
  1056 | 5 | Whisper Translate
  1057 | 290000 | Translate Badger | Translates the selected text.
  1058 | 3300 | Page Translator Wren
  1059 | 140 | Café Crème Clock
  1060 | 77000 | Naïve Résumé Helper
  1061 | 11000 | Reading List Squirrel | | app=mobile_browser
  1062 | 240 | Squirrel Mail Peek | | platform=mac | author=bob
  1063 | 80 | Tabby Orchid | | type=persona
  1064 | 19000 | Recipe Robin | | de=Rezept Rotkehlchen | fr=Rouge-gorge des recettes
  1065 | 27000 | Harbour Lights Search | | type=search | author=bob
  1066 | 3900 | Walloon Language Pack | | type=language
  1067 | 450 | WebPage Archive Owl | | type=theme
  1068 | 5200 | Evening Cross Word Club
  1069 | 310 | Crossword Attic
  1070 | 22000 | Green Column | Shows each headline of the morning.
  1071 | 1700 | Loud Head Line Bell
  1072 | 900 | Email Otter Box
  1073 | 17000 | E-Mail Heron
  1074 | 700 | Plugin Theme Browser
  1075 | 52000 | Theme Browser
`,
  `
  required | joined | notepad | +1001,1002 !1003
  required | joined | note pad | ^1001 +1002 !1003
  required | joined | notepad deluxe | ^1001
  required | joined | deluxe notepad | ^1001
  required | joined | colorpicker | +1004,1005,1006
  required | joined | color picker | 1004>1005>1006
  required | joined | color picker mini | ^1005
  required | joined | pickerstudio | +1004
  required | joined | screenshot | +1007,1008 1007>1008
  required | joined | screen shot | +1007,1008
  required | joined | full page screenshot | ^1008 !1007
  required | joined | screen shot falcon | ^1007
  required | joined | bookmark | +1009,1010
  required | joined | book mark | +1009,1010
  required | joined | bookmarks | +1009,1010
  required | joined | book marks basket | ^1009
  required | joined | password | +1011,1012
  required | joined | pass word | +1011,1012
  required | joined | link harbor | ^1026
  required | joined | web page archive | ^1067
  required | joined | webpage owl | ^1067
  required | joined | tepad | !1001,1002
  nice | joined | pass word note book | ^1012
  nice | joined | news paper | +1050

  required | letter | calendar w | ^1015 +1016,1018 !1017
  required | letter | calendar s | ^1017 !1016
  required | letter | weekly c | +1015,1018
  required | letter | tab o | ^1029 +1030 !1049,1063
  required | letter | note p | ^1001 +1003
  required | letter | weather p | ^1040 +1041 !1042
  required | letter | reading list s | ^1061
  required | letter | dark harbor t | ^1013 !1014
  required | letter | velvet r | ^1035 !1036
  required | letter | how do i f | ^1053
  required | letter | what to c | ^1052
  required | letter | q | =
  required | letter | translate b | ^1057 !1056

  required | category | tab orchard extension | ^1029 +1030
  required | category | tab orchard addon | ^1029
  required | category | tab orchard add-on | ^1029
  required | category | tab orchard plugin | ^1029
  required | category | tab orchard extensions | ^1029
  required | category | tab orchard addons | ^1029
  required | category | extension tab orchard | ^1029
  required | category | plugin for tab orchard | ^1029
  nice | category | tab orchard add on | ^1029
  nice | category | password burrow browser extension | ^1011
  required | category | dark harbor theme | ^1013 +1014
  required | category | dark harbor themes | ^1013 +1014
  required | category | extension | ^1021
  required | category | theme | ^1023
  required | category | add-on manager | ^1022
  required | category | how do i translate | +1056,1057,1058
  required | category | how to block ads | +1020
  required | category | what is a proxy | ^1054 !1052
  required | category | what to cook | ^1052
  required | category | how do i fold this | ^1053
  required | category | which extension blocks ads | +1020
  nice | category | where can i find weather | +1040,1042
  nice | category | how can i save videos | +1032
  nice | category | free pdf plugin | +1047

  required | signs | kestrel scribbles | =1024
  required | signs | kestrel™ scribbles | =1024
  required | signs | kestrel ™ scribbles | =1024
  required | signs | osprey mail | ^1025
  required | signs | osprey® mail check | ^1025
  required | signs | tin drum radio™ | ^1028
  required | signs | tin© drum | ^1028
  required | signs | tin℠ drum radio | ^1028
  required | signs | linkharbor | ^1026
  required | signs | link\u200Bharbor archive\u2060 | !1014
  required | signs | automatic | +1027
  required | signs | automatic scroller | ^1027
  required | signs | auto\u00ADmatic scroll\u00ADer | ^1027
  required | signs | \uFEFFtab orchard | ^1029
  required | signs | tab orch\u2060ard lite | ^1030
  required | signs | ＴＡＢ　ＯＲＣＨＡＲＤ | ^1029
  required | signs | “velvet” — reader! | ^1035
  required | signs | cafe\u0301 creme clock | ^1059
  required | signs | naive resume | ^1060

  required | exact | Tab Orchard | ^1029 1029>1030
  required | exact | orchard | ^1031 1031>1030
  required | exact | weather | ^1042
  required | exact | gazette | 1051>1050
  required | exact | 3d globe tab | =1049
  required | whole | taborchard | ^1029
  required | whole | tab-orchard | ^1029
  required | whole | tabs orchard | ^1029
  required | whole | the velvet reader | ^1035
  required | whole | weatherpebble | =1040
  required | start | tab | ^1029 1029>1030>1049
  required | start | clipboard | 1046>1045
  required | start | mouse | 1037>1039>1038
  required | phrase | history jar | ^1046
  required | phrase | mail check | ^1025 !1062
  required | phrase | translator wren | ^1058
  required | words | jar clipboard | =1046
  required | words | radar pebble | =1041
  required | prefix | orch | +1029,1030,1031,1063
  required | prefix | kest | =1024
  required | prefix | screensh | +1007,1008
  required | prefix | video mag | =1032
  required | prefix | badge | ^1057 !1056
  required | loose | velvett reader | ^1035
  required | loose | sheild warden | ^1019
  required | loose | calender weekly | ^1015
  required | loose | gazete | ^1051
  required | loose | lantren pdf | +1047,1048
  required | loose | velvt | +1035,1036
  required | loose | translte badger | ^1057
  required | unmixed | velvit | =1036
  required | unmixed | sheild | =1034
  required | popularity | magpie | 1033>1032
  required | popularity | lantern pdf | 1048>1047
  required | popularity | translate | 1057>1056
  required | popularity | ads | 1020>1019
  required | popularity | ferry | 1054>1055
  required | popularity | gesture | 1039>1038
  required | noise | wallet | =
  required | noise | xeather | =
  required | noise | word | +1012 !1011
  required | noise | page | 1058>1032
  required | noise | @#! | =
  required | filter | dark harbor | =1013 | types=statictheme
  required | filter | orchard | ^1031 !1029 | excludeAddons=1029
  required | filter | english | =1044 | types=dictionary
  required | filter | squirrel | =1061 | app=mobile_browser
  required | filter | mail | =1062 | authors=bob
  required | filter | mail peek | = | platform=windows
  required | filter | page | ^1019 !1058 | tags=ads
  required | filter | harbour | =1065 | types=search
  required | filter | language pack | =1066 | types=language
  required | language | rezept rotkehlchen | =1064 | lang=de
  required | language | rotkehlchen | !1064 | lang=fr
  required | language | rouge gorge recette | =1064 | lang=fr
  required | language | recipe robin | =1064 | lang=ja
  required | joined | crossword | +1068,1069
  required | joined | cross word | +1068,1069
  required | joined | crossword club | +1068 !1069
  required | joined | cross word attic | ^1069
  required | joined | crossw | +1068,1069
  required | joined | headline | 1071>1070
  required | joined | head line | 1071>1070
  required | joined | morning head line | +1070
  required | joined | club cross word | +1068
  required | signs | ev\u200Bening cross\u00ADword™ | +1068
  required | category | color picker extension | +1004,1005
  required | category | notepad add-on | +1001,1002
  required | category | extension for screen shots | +1007,1008
  required | category | theme dark harbor | +1013,1014
  required | category | tab orchard™ addon | ^1029
  required | category | how to save videos | +1032
  required | category | what is orchard | +1031
  required | category | which plugin stops trackers | ^1019
  required | joined | email | +1072,1073
  required | joined | e mail | +1072,1073
  required | joined | e-mail otter | ^1072
  required | joined | email heron | ^1073
  required | letter | color p | ^1004 +1005
  required | letter | full p | ^1008
  required | letter | squirrel m | ^1062
  required | letter | pdf l | ^1047 +1048
  required | letter | 3d g | ^1049
  required | letter | page t | ^1058
  required | letter | shield warden e | !1019
  required | letter | bookmark b | ^1009
  nice | category | best screenshot add-on for free | +1007
  nice | loose | dark harbour | +1014
  required | category | taborchard extension | ^1029
  required | category | note pad plug-in | +1001,1002
  required | category | extension calendar w | +1015,1016
  required | letter | screen shot f | ^1007
  required | letter | colorpicker s | ^1004
  required | letter | e mail h | ^1073
  nice | category | weather web extension | +1040,1041,1042
  nice | category | weather extention | +1042
  nice | category | whats the weather | +1042
  required | category | dark harbor theme addon | ^1013 1013>1014
  required | category | dark harbor theme extension | ^1013
  required | category | theme addon | +1023
  required | category | extension plugin | +1021
  required | category | theme browser | ^1075
  required | category | theme browser add-on | ^1075
`,
);
