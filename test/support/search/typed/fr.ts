import { language } from './tables.ts';

/** French: accents, ligatures, elided articles. */
export const FRENCH = language(
  'fr',
  `
  3001 | 96000 | Traduction Rapide | Affiche le texte dans une autre langue.
  3002 | 4300 | Traducteur Corbeau
  3003 | 51000 | Marque Page Hibou | Range ce qui reste à lire.
  3004 | 720 | Marquepage Malin
  3005 | 130000 | Étoile du Soir | | type=statictheme
  3006 | 2800 | Onglet Papillon | Classe les onglets par couleur.
  3007 | 39000 | Onglets Savants
  3008 | 210000 | Bloqueur Hérisson | Bloque les publicités et les traceurs.
  3009 | 640 | Météo Lavande
  3010 | 17000 | Météo du Village
  3011 | 88 | Extension Légère
  3012 | 400 | Complément
  3013 | 8600 | Capture Renard | Enregistre une image de la fenêtre.
  3014 | 31000 | Mot de Passe Fourmi | Conserve les identifiants.
  3015 | 12 | Herisson Rouge
  3016 | 5500 | Téléchargement Tortue
  3017 | 990 | L'Heure d'Été
  3018 | 73000 | Lecture Cœur Léger
  3019 | 5100 | Mon Porte Feuille Vert
  3020 | 230 | Grand Portefeuille
`,
  `
  required | joined | marquepage | +3003,3004
  required | joined | marque page | +3003,3004
  required | joined | marque-page hibou | ^3003
  required | joined | marquepage hibou | ^3003
  required | joined | marque page malin | ^3004
  required | letter | traduction r | ^3001 !3002
  required | letter | mot de passe f | ^3014
  required | letter | météo v | ^3010 !3009
  required | letter | onglets s | ^3007 !3006

  required | category | extension bloqueur hérisson | ^3008
  required | category | traduction rapide complément | ^3001
  required | category | complement traduction rapide | ^3001
  required | category | capture renard plugin | ^3013
  required | category | complément | ^3012
  required | category | extension légère | ^3011
  required | category | comment bloquer les publicités | +3008
  required | category | extensions onglet papillon | ^3006
  nice | category | module complémentaire capture renard | ^3013
  nice | category | quelle extension pour la météo | +3009,3010

  required | inflection | traductions rapides | ^3001
  required | inflection | onglet | +3006,3007
  required | inflection | onglets | +3006,3007
  required | inflection | étoiles | +3005
  required | inflection | etoiles | +3005
  required | inflection | captures | +3013
  required | inflection | telechargements | +3016
  required | inflection | mots de passe | +3014
  required | inflection | bloqueurs | +3008

  required | signs | L’Heure d’Été | ^3017
  required | signs | heure ete | ^3017
  required | signs | coeur leger | ^3018
  required | signs | ETOILE DU SOIR | ^3005
  required | exact | météo lavande | ^3009
  required | whole | meteolavande | =3009
  required | start | traduction | ^3001
  required | phrase | du village | +3010
  required | words | papillon onglet | ^3006
  required | prefix | telech | =3016
  required | prefix | bloqu | ^3008
  required | loose | traduciton rapide | ^3001
  required | loose | hériseson rouge | ^3015
  required | popularity | hérisson | 3008>3015
  required | popularity | météo | 3010>3009
  required | noise | laver | !3009
  required | filter | étoile | =3005 | types=statictheme
  required | joined | portefeuille | +3019,3020
  required | joined | porte feuille | +3019,3020
  required | joined | grand porte-feuille | ^3020
  required | joined | portefeuilles | +3019,3020
  required | inflection | hérissons | +3008
  required | inflection | heures d'été | ^3017
  required | inflection | marque-pages | +3003
  required | category | extension pour capture renard | ^3013
  required | category | mot de passe extension | +3014
  required | category | l'extension traduction rapide | ^3001
  nice | category | comment faire une capture | +3013
  required | category | extension pour velvet reader | ^1035
  required | category | extension légère complément | ^3011
`,
);
