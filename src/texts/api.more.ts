/* Constant texts of documented responses in further languages, by language tag. Texts that are missing here are English. */
import type { API_EN } from './api.en.ts';
import type { German } from './text-types.ts';

export const API_MORE: Readonly<Record<string, Partial<German<typeof API_EN>>>> = {
  ar: {
    'read-only': 'بعض الميزات معطّلة مؤقتًا أثناء صيانة الموقع. سنعود إلى العمل الكامل قريبًا.',
  },
  es: {
    'action.approved': 'Aprobado',
    'action.comment': 'Comentario',
    'action.more-information-requested': 'Más información solicitada',
    'action.rejected': 'Rechazado',
    'action.review-note': 'Nota de revisión',
    'action.review-requested': 'Revisión solicitada',
    'action.source-code-uploaded': 'Código fuente subido',
    'action.super-review-requested': 'Revisión de un administrador solicitada',
    'read-only':
      'Algunas funciones están desactivadas temporalmente por tareas de mantenimiento del sitio. Pronto volveremos a funcionar con normalidad.',
  },
  fr: {
    'action.approved': 'Approuvé',
    'action.comment': 'Commentaire',
    'action.more-information-requested': 'Informations supplémentaires demandées',
    'action.rejected': 'Rejeté',
    'action.review-note': 'Note d’examen',
    'action.review-requested': 'Examen demandé',
    'action.source-code-uploaded': 'Code source envoyé',
    'action.super-review-requested': 'Examen par un administrateur demandé',
    'read-only':
      'Certaines fonctionnalités sont temporairement désactivées pendant la maintenance du site. Tout sera bientôt rétabli.',
  },
  ja: {
    'read-only': 'サイトのメンテナンスのため、一部の機能を一時的に停止しています。まもなく再開します。',
  },
  pt: {
    'read-only':
      'Alguns recursos estão temporariamente desativados durante a manutenção do site. Em breve tudo voltará ao normal.',
  },
  ru: {
    'read-only': 'Некоторые функции временно отключены на время технических работ. Скоро всё снова заработает.',
  },
  zh: {
    'read-only': '网站正在维护，部分功能暂时停用，我们将很快恢复全部服务。',
  },
  'zh-TW': {
    'read-only': '網站維護中，部分功能暫時停用，我們很快就會恢復全部服務。',
  },
};
