/* Constant texts of responses of the API in German. */
import type { API_EN } from './api.en.ts';
import type { German } from './text-types.ts';

export const API_DE: German<typeof API_EN> = {
  'action.approved': 'Freigegeben',
  'action.comment': 'Kommentar',
  'action.more-information-requested': 'Weitere Informationen angefordert',
  'action.rejected': 'Abgelehnt',
  'action.review-note': 'Notiz zur Prüfung',
  'action.review-requested': 'Prüfung angefordert',
  'action.source-code-uploaded': 'Quellcode hochgeladen',
  'action.super-review-requested': 'Prüfung durch die Administration angefordert',
  'discovery.by': 'von {addon}',
  'discovery.with': 'mit {addon}',
  'gap.categories': 'Das Add-on hat keine Kategorie. Wer nach Kategorien stöbert, findet es nicht.',
  'gap.license': 'Es wurde keine Lizenz gewählt. Andere dürfen das Add-on daher weder kopieren noch verändern.',
  'gap.name': 'Das Add-on hat keinen Namen in seiner Standardsprache.',
  'gap.summary': 'Das Add-on hat keine Kurzbeschreibung in seiner Standardsprache. In Suchergebnissen fehlt sie.',
  'hero.accounts': 'Mit einem Konto sammeln Sie Add-ons und veröffentlichen eigene.',
  'hero.accounts-cta': 'Ihr Konto',
  'hero.cta': 'So funktioniert es',
  'hero.description': 'Jede Datei hier ist signiert und steht in einem öffentlichen Protokoll.',
  'hero.headline': 'Add-ons, die Sie prüfen können',
  'hero.search': 'Finden Sie Add-ons nach dem, was sie tun, in Ihrer Sprache.',
  'hero.search-cta': 'Suchen',
  'hero.signing': 'Jede Version wird geprüft und signiert, bevor Sie sie bekommen.',
  'hero.signing-cta': 'Eine Datei prüfen',
  'next-step.addon_deleted': 'Das Add-on ist gelöscht. Nur der Betreiber kann diese Version wiederherstellen.',
  'next-step.awaiting_review': 'Jemand aus dem Prüfteam entscheidet über diese Version und hinterlässt eine Notiz.',
  'next-step.error':
    'Der Dienst konnte das Paket nicht verarbeiten. Laden Sie dieselbe Versionsnummer erneut hoch. Wenden Sie sich an den Betreiber, wenn es zweimal scheitert.',
  'next-step.error_upload':
    'Der Dienst konnte das Paket nicht verarbeiten. Laden Sie es erneut hoch. Wenden Sie sich an den Betreiber, wenn es zweimal scheitert.',
  'next-step.held': 'Die Signierung geht weiter, sobald der Betreiber das Add-on oder das Konto wieder aktiviert.',
  'next-step.invalid': 'Beheben Sie die Fehler aus der Prüfung und laden Sie dieselbe Versionsnummer erneut hoch.',
  'next-step.invalid_upload': 'Beheben Sie die Fehler aus der Prüfung und laden Sie das Paket erneut hoch.',
  'next-step.received': 'Das Paket wartet auf die automatische Prüfung. Sie müssen nichts tun.',
  'next-step.rejected':
    'Lesen Sie die Begründung, korrigieren Sie das Paket und laden Sie dieselbe Versionsnummer erneut hoch.',
  'next-step.signed': 'Die signierte Datei steht zum Herunterladen bereit.',
  'next-step.signing': 'Das Paket wird signiert. Sie müssen nichts tun.',
  'next-step.valid_listed': 'Die Version kommt in die Warteschlange der Prüfung.',
  'next-step.valid_unlisted': 'Das Paket wird jetzt signiert.',
  'next-step.valid_upload': 'Das Paket ist gültig. Reichen Sie es als Version eines Add-ons ein.',
  'next-step.validating': 'Das Paket wird automatisch geprüft. Sie müssen nichts tun.',
  'next-step.version_deleted':
    'Die Version ist gelöscht. Ihre Nummer bleibt vergeben: Laden Sie das Paket mit einer anderen Nummer hoch.',
  'read-only':
    'Einige Funktionen sind wegen Wartungsarbeiten vorübergehend abgeschaltet. Wir sind in Kürze wieder vollständig für Sie da.',
  'visibility.awaiting_review': 'Version {version} wartet auf die Prüfung.',
  'visibility.awaiting_review.addon': 'Das Add-on wartet auf die Prüfung.',
  'visibility.deleted': 'Das Add-on wurde gelöscht.',
  'visibility.disabled_by_developers':
    'Die Entwickler haben das Add-on deaktiviert. Aktivieren Sie es, damit es wieder erscheint.',
  'visibility.disabled_by_operator': 'Der Betreiber hat das Add-on deaktiviert.',
  'visibility.failed': 'Der Dienst konnte Version {version} nicht verarbeiten. Laden Sie sie erneut hoch.',
  'visibility.information_requested': 'Zu Version {version} gibt es eine Rückfrage. Beantworten Sie sie.',
  'visibility.invalid':
    'Version {version} hat die automatische Prüfung nicht bestanden. Beheben Sie die Fehler und laden Sie sie erneut hoch.',
  'visibility.no_version': 'Das Add-on hat keine gelistete Version. Laden Sie eine hoch.',
  'visibility.not_approved': 'Keine Version des Add-ons ist freigegeben. Laden Sie eine neue Version zur Prüfung hoch.',
  'visibility.only_unlisted_versions':
    'Die Entwickler verteilen es selbst: Alle Versionen sind ungelistet, und der Katalog zeigt nur gelistete.',
  'visibility.processing': 'Version {version} wird gerade automatisch geprüft.',
  'visibility.rejected':
    'Version {version} wurde abgelehnt. Lesen Sie die Begründung, korrigieren Sie das Paket und laden Sie es erneut hoch.',
  'visibility.rejected.addon':
    'Das Add-on wurde abgelehnt. Lesen Sie die Begründung und ändern Sie es, dann wird es erneut geprüft.',
  'visibility.signing': 'Version {version} wird gerade signiert.',
  'visibility.uploader_disabled':
    'Version {version} kann nicht signiert werden, solange das Konto deaktiviert ist, das sie hochgeladen hat.',
  'visibility.version_disabled':
    'Die Entwickler haben Version {version} deaktiviert. Aktivieren Sie sie, damit das Add-on erscheint.',
  'visibility.version_withdrawn':
    'Der Betreiber hat Version {version} zurückgezogen. Laden Sie eine neue Version hoch.',
  'visibility.version_without_file': 'Version {version} hat keine Datei. Laden Sie eine neue Version hoch.',
};
