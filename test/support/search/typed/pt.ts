import { language } from './tables.ts';

/** Brazilian Portuguese: plurals of -ão, accents left out. */
export const PORTUGUESE = language(
  'pt-BR',
  `
  5001 | 110000 | Tradução Ligeira | Mostra o texto em outra língua.
  5002 | 1900 | Traduções do Cais
  5003 | 42000 | Botão de Volta
  5004 | 350 | Botões Coloridos
  5005 | 67 | Pão de Queijo Relógio
  5006 | 15000 | Receitas de Pães
  5007 | 260000 | Guarda Senhas | Armazena tudo com segurança.
  5008 | 8800 | Abas em Árvore
  5009 | 29000 | Favoritos Sabiá
  5010 | 510 | Alemão Básico | | type=dictionary
  5011 | 74 | Extensão
  5012 | 53000 | Bloqueador Tatu | Bloqueia anúncios e rastreadores.
  5013 | 6200 | Captura Tela Cheia
  5014 | 19000 | Capturatela Ágil
  5015 | 3400 | Notícias da Manhã
  5016 | 920 | Coração Claro | | type=statictheme
  5017 | 140000 | Leitor de Balões
  5018 | 25 | Tatú Bola
  5019 | 2700 | Meu Guarda Chuva Azul
  5020 | 410 | Velho Guardachuva
`,
  `
  required | inflection | tradução | +5001,5002
  required | inflection | traducao | +5001,5002
  required | inflection | traduções | +5001,5002
  required | inflection | traducoes | +5002
  nice | inflection | traducoes ligeiras | ^5001
  required | inflection | botão | +5003,5004
  required | inflection | botao | +5003,5004
  required | inflection | botões | +5003,5004
  required | inflection | botoes | +5004
  required | inflection | pães | +5005,5006
  required | inflection | pão | +5005,5006
  required | inflection | alemães | +5010
  required | inflection | corações | +5016
  required | inflection | coracao claro | ^5016
  required | inflection | balão | +5017
  required | inflection | balao | +5017
  required | inflection | senha | +5007
  required | inflection | noticia | +5015
  required | inflection | favorito | +5009
  nice | inflection | alemaes | +5010

  required | category | tradução ligeira extensão | ^5001
  required | category | extensao traducao ligeira | ^5001
  required | category | complemento favoritos sabiá | ^5009
  required | category | extensão | ^5011
  required | category | guarda senhas plugin | ^5007
  required | category | tema coração claro | ^5016
  required | category | extensão para abas | +5008
  nice | category | como bloquear anúncios | +5012
  nice | category | extensões de favoritos | +5009

  required | joined | capturatela | +5013,5014
  required | joined | captura tela | +5013,5014
  required | joined | guardasenhas | ^5007
  required | joined | telacheia | +5013
  required | letter | captura t | ^5013
  required | letter | favoritos s | ^5009
  required | letter | botão c | +5004 !5003
  required | signs | NOTICIAS DA MANHA | ^5015
  required | exact | tatú bola | ^5018
  required | whole | paodequeijorelogio | =5005
  required | start | guarda | ^5007
  required | phrase | de queijo | +5005
  required | prefix | bloq | +5012
  required | loose | favortios sabia | ^5009
  required | loose | bloqueadro tatu | ^5012
  required | popularity | tatu | 5012>5018
  required | noise | bota | !5012
  required | filter | alemão | =5010 | types=dictionary
  required | joined | guardachuva | +5019,5020
  required | joined | guarda-chuva | +5019,5020
  required | joined | guardachuva azul | ^5019
  required | inflection | corações claros | ^5016
  required | inflection | relógios | +5005
  required | inflection | botões de volta | ^5003
  required | inflection | receita de pão | ^5006
  required | inflection | pao de queijo | ^5005
  required | category | extensão para tab orchard | ^1029
`,
);
