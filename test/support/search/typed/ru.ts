import { language } from './tables.ts';

/** Russian: cases and genders, ё typed as е. */
export const RUSSIAN = language(
  'ru',
  `
  9001 | 120000 | Тёмный Лес | Затемняет яркие сайты.
  9002 | 3500 | Темная Сторона Луны | | type=statictheme
  9003 | 84000 | Переводчик Сорока | Показывает текст на другом языке.
  9004 | 950 | Быстрый Переводчик Текста
  9005 | 230000 | Закладки Барсука | Хранит ссылки и заметки.
  9006 | 410 | Закладка Дня
  9007 | 56000 | Хранитель Паролей | Запоминает учётные записи.
  9008 | 7100 | Словарь Ежа | | type=dictionary
  9009 | 18 | Ёж
  9010 | 31000 | Вкладки Рядами
  9011 | 99000 | Стоп Реклама Филин | Убирает баннеры.
  9012 | 640 | Расширение
  9013 | 12000 | Снимок Экрана Рысь
  9014 | 270 | Снимокэкрана Лайт
  9015 | 4400 | Погода на Даче
  9016 | 22000 | Новости Маяка
  9017 | 88 | Звёздная Карта
  9018 | 1500 | Ёлочные Игрушки
  9019 | 6600 | Мой Само Лёт
  9020 | 340 | Старый Самолёт
`,
  `
  required | inflection | темный лес | ^9001
  required | inflection | тёмный лес | ^9001
  required | inflection | тёмная сторона луны | ^9002
  required | inflection | темный | +9001,9002
  required | inflection | тёмная | +9001,9002
  required | inflection | переводчики | +9003,9004
  required | inflection | переводчика | +9003,9004
  required | inflection | закладка | +9005,9006
  required | inflection | закладки | +9005,9006
  required | inflection | закладками | +9005,9006
  required | inflection | пароли | +9007
  required | inflection | пароль | +9007
  required | inflection | словари | +9008
  required | inflection | вкладка | +9010
  required | inflection | погоду на даче | ^9015
  required | inflection | звездные карты | ^9017
  required | inflection | елочная игрушка | ^9018
  nice | inflection | вкладок | +9010
  nice | inflection | ежи | +9009
  required | category | переводчик сорока расширение | ^9003
  required | category | расширение закладки барсука | ^9005
  required | category | дополнение вкладки рядами | ^9010
  required | category | стоп реклама филин плагин | ^9011
  required | category | расширения хранитель паролей | ^9007
  required | category | расширение | ^9012
  required | category | темная сторона луны тема | ^9002
  nice | category | как убрать баннеры | +9011
  nice | category | расширением для погоды | +9015
  required | joined | снимок экрана | +9013,9014
  required | joined | снимокэкрана | +9013,9014
  required | joined | снимокэкрана рысь | ^9013
  required | joined | стопреклама | +9011
  required | letter | переводчик с | ^9003
  required | letter | закладки б | ^9005
  required | letter | погода на д | ^9015
  required | letter | тёмный л | ^9001
  required | signs | НОВОСТИ МАЯКА | ^9016
  required | signs | елочные игрушки | ^9018
  required | exact | ёж | ^9009
  required | exact | новости маяка | ^9016
  required | whole | новостимаяка | =9016
  required | start | хранитель | ^9007
  required | phrase | сторона луны | =9002
  required | words | игрушки елочные | ^9018
  required | prefix | перев | +9003,9004
  required | loose | перводчик сорока | ^9003
  required | loose | закладик барсука | ^9005
  required | popularity | переводчик | 9003>9004
  required | noise | лестница | !9001
  required | filter | словарь | =9008 | types=dictionary
  required | joined | самолет | +9019,9020
  required | joined | само лёт | +9019,9020
  required | joined | старый само лет | ^9020
  required | inflection | луна | +9002
  required | inflection | сторону луны | ^9002
  required | inflection | словарей | +9008
  required | inflection | новостей | +9016
  required | inflection | хранители паролей | ^9007
  required | category | дополнения для вкладок рядами | !9012
  required | category | плагин закладки | +9005
  nice | category | лучшее расширение для закладок | +9005
  required | category | расширение переводчик | +9003,9004
  required | category | расширение для tab orchard | ^1029
`,
);
