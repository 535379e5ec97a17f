/* Texts of mails in German. */
import type { MAILS_EN } from './mails.en.ts';
import type { German } from './text-types.ts';

export const MAILS_DE: German<typeof MAILS_EN> = {
  'footer.mailing':
    'Sie erhalten diese E-Mail wegen Ihrer Einstellungen für Benachrichtigungen. Dort lässt sie sich abschalten.',
  'footer.review': 'Ihre Antwort auf diese E-Mail erreicht die Entwickler und das Prüfteam dieser Version.',
  'footer.staff': 'Dies ist eine Mitteilung der Betreiber von {site}. Jede solche Änderung steht im Protokoll.',
  'notice.account-deleted': 'Die Betreiber von {site} haben Ihr Konto und seine Daten gelöscht.',
  'notice.account-disabled': 'Die Betreiber von {site} haben Ihr Konto gesperrt. Sie können sich nicht mehr anmelden.',
  'notice.account-edited': 'Die Betreiber von {site} haben das Profil Ihres Kontos geändert.',
  'notice.account-enabled': 'Die Betreiber von {site} haben Ihr Konto wieder freigegeben.',
  'notice.account-group-changed':
    'Die Betreiber von {site} haben die Berechtigungen der Gruppe {group} geändert, zu der Ihr Konto gehört.',
  'notice.account-group-joined': 'Die Betreiber von {site} haben Ihr Konto in die Gruppe {group} aufgenommen.',
  'notice.account-group-left': 'Die Betreiber von {site} haben Ihr Konto aus der Gruppe {group} entfernt.',
  'notice.account-identity-linked':
    'Ihrem Konto bei {site} wurde eine Anmeldemöglichkeit hinzugefügt: {issuer}. Wenn Sie das nicht waren, entfernen Sie sie und beenden Sie Ihre Sitzungen.',
  'notice.account-identity-removed': 'Aus Ihrem Konto bei {site} wurde eine Anmeldemöglichkeit entfernt: {issuer}.',
  'notice.account-key-created': 'Die Betreiber von {site} haben einen API-Schlüssel für Ihr Konto erstellt: {key}',
  'notice.account-key-revoked': 'Die Betreiber von {site} haben einen API-Schlüssel Ihres Kontos widerrufen: {key}',
  'notice.account-notifications-changed':
    'Die Betreiber von {site} haben die Benachrichtigungen Ihres Kontos geändert.',
  'notice.account-picture-changed': 'Die Betreiber von {site} haben das Bild Ihres Kontos geändert.',
  'notice.account-session-ended':
    'Die Betreiber von {site} haben Sitzungen Ihres Kontos beendet. Melden Sie sich neu an, um fortzufahren.',
  'notice.account-token-created': 'Die Betreiber von {site} haben ein Zugriffstoken für Ihr Konto erstellt.',
  'notice.addon-author-added': 'Die Betreiber von {site} haben {added} zum Autor Ihres Add-ons {addon} gemacht.',
  'notice.addon-author-removed':
    'Die Betreiber von {site} haben {removed} aus den Autoren Ihres Add-ons {addon} entfernt.',
  'notice.addon-compatibility-set':
    'Die Betreiber von {site} haben geändert, für welche Programmversionen Ihr Add-on {addon} angeboten wird.',
  'notice.addon-disabled': 'Die Betreiber von {site} haben Ihr Add-on {addon} gesperrt. Es ist nicht mehr öffentlich.',
  'notice.addon-edited': 'Die Betreiber von {site} haben den Eintrag Ihres Add-ons {addon} geändert.',
  'notice.addon-enabled': 'Die Betreiber von {site} haben Ihr Add-on {addon} wieder freigegeben.',
  'notice.addon-featured': 'Die Betreiber von {site} empfehlen Ihr Add-on {addon}.',
  'notice.addon-icon-removed': 'Die Betreiber von {site} haben das Symbol Ihres Add-ons {addon} entfernt.',
  'notice.addon-icon-set': 'Die Betreiber von {site} haben das Symbol Ihres Add-ons {addon} ersetzt.',
  'notice.addon-previews-changed': 'Die Betreiber von {site} haben die Vorschaubilder Ihres Add-ons {addon} geändert.',
  'notice.addon-rating-replied': 'Die Betreiber von {site} haben auf eine Bewertung Ihres Add-ons {addon} geantwortet.',
  'notice.addon-replacement-set': 'Die Betreiber von {site} haben geändert, welches Add-on Ihr Add-on {addon} ersetzt.',
  'notice.addon-revived': 'Die Betreiber von {site} haben Ihr gelöschtes Add-on {addon} wiederhergestellt.',
  'notice.addon-unfeatured': 'Die Betreiber von {site} empfehlen Ihr Add-on {addon} an einer Stelle nicht mehr.',
  'notice.addon-update-address-ended':
    'Die Betreiber von {site} haben eine Update-Adresse Ihres Add-ons {addon} beendet.',
  'notice.addon-webhook-disabled':
    'Die Betreiber von {site} haben den Webhook {url} Ihres Add-ons {addon} ausgeschaltet.',
  'notice.author-accepted': '{person} hat die Einladung angenommen und ist jetzt Autor Ihres Add-ons {addon}.',
  'notice.author-added-self': 'Die Betreiber von {site} haben Sie zum Autor des Add-ons {addon} gemacht.',
  'notice.author-changed': '{person} hat die Rolle von {changed} im Add-on {addon} geändert.',
  'notice.author-invitation-sent': '{person} hat {invited} eingeladen, Autor Ihres Add-ons {addon} zu werden.',
  'notice.author-invited':
    '{person} lädt Sie ein, Autor des Add-ons {addon} auf {site} zu werden. Bis Sie annehmen, haben Sie keine Rechte daran und werden nirgends genannt. Die Einladung endet am {date}.',
  'notice.author-removed': '{removed} ist nicht mehr Autor Ihres Add-ons {addon}.',
  'notice.author-removed-self': 'Sie sind nicht mehr Autor des Add-ons {addon} auf {site}.',
  'notice.own-key-created':
    'Für Ihr Konto bei {site} wurde ein API-Schlüssel erstellt: {key}. Wenn Sie das nicht waren, widerrufen Sie ihn und beenden Sie Ihre Sitzungen.',
  'notice.rating-deleted':
    'Die Betreiber von {site} haben gelöscht, was Sie über das Add-on {addon} geschrieben haben.',
  'notice.rating-edited':
    'Die Betreiber von {site} haben bearbeitet, was Sie über das Add-on {addon} geschrieben haben.',
  'notice.rating-hidden':
    'Die Betreiber von {site} haben verborgen, was Sie über das Add-on {addon} geschrieben haben. Nur Sie und die Betreiber sehen es.',
  'rating.new': 'Ihr Add-on {addon} hat eine neue Bewertung: {score} von 5.',
  'rating.reply': 'Die Autoren des Add-ons {addon} haben auf Ihre Bewertung geantwortet.',
  'report.rating': 'der Bewertung von {addon}: „{excerpt}“',
  'report.reply': 'der Antwort auf eine Bewertung von {addon}: „{excerpt}“',
  'report.score': 'der Bewertung von {addon}: {score} von 5',
  'report.subject': 'Ihre Meldung zu {target}',
  'review.approved': 'Freigegeben: {what}. Die Datei ist signiert und steht bereit.',
  'review.more-information-requested': 'Es gibt eine Rückfrage zu {what}:',
  'review.rejected': 'Abgelehnt: {what}.',
  'review.review-note': 'Es gibt eine neue Nachricht zu {what}:',
  'review.review-requested': 'Eine neue Version wartet auf Prüfung: {what}.',
  'review.version': 'Version {version} von {name}',
  'test.body': 'Dies ist ein Test. Der Versand von E-Mails funktioniert.',
};
