/* The German messages by code, sorted by code. */
import type { GermanTexts } from './message-types.ts';

export const MESSAGES_DE: GermanTexts = {
  'account.last_administrator':
    'Dieses Konto ist das letzte mit der Berechtigung *:*. Geben Sie sie zuerst einem anderen Konto.',
  'file.unusable':
    'Diese Datei ist auf dem Server verloren gegangen oder beschädigt. Wenden Sie sich an den Betreiber.',
  'package.lost': 'Das gespeicherte Paket ist verloren gegangen.',
  'package.names_too_long_to_sign':
    'Das Paket lässt sich nicht signieren: Es enthält zu viele und zu lange Dateinamen.',
  'package.other_applications':
    'Die Datei install.rdf nennt nur andere Anwendungen: {ids}. Ergänzen Sie eine „targetApplication“ für eine unterstützte Anwendung.',
  'package.replaced': 'Das gespeicherte Paket weicht vom hochgeladenen ab.',
  'package.trailing_bytes#one':
    'Das Manifest ist nicht lesbar: Nach dem Ende des Archivs folgt {count} Byte. Schreiben Sie das Archiv in eine Datei statt in die Standardausgabe.',
  'package.trailing_bytes#other':
    'Das Manifest ist nicht lesbar: Nach dem Ende des Archivs folgen {count} Byte. Schreiben Sie das Archiv in eine Datei statt in die Standardausgabe.',
  'package.two_names':
    'Ungültiger Dateiname im Paket: {name} heißt dort auch {path}. Packen Sie mit Namen in UTF-8, zum Beispiel mit der Umgebungsvariablen LC_ALL=C.UTF-8.',
  'package.unusable_target':
    'Der Bereich {min} bis {max} für {app} in der Datei install.rdf enthält keine bekannte Version.',
  'request.method_not_allowed': 'Die Methode „{method}“ ist hier nicht erlaubt.',
  'request.not_found': 'Das gibt es nicht oder nicht mehr.',
  'request.not_permitted': 'Dazu fehlt Ihnen die Berechtigung.',
  'request.throttled#one': 'Zu viele Anfragen. Versuchen Sie es in {count} Sekunde erneut.',
  'request.throttled#other': 'Zu viele Anfragen. Versuchen Sie es in {count} Sekunden erneut.',
  'request.unauthenticated': 'Sie sind nicht angemeldet.',
  'service.unavailable': 'Der Dienst ist vorübergehend nicht verfügbar.',
  'sign_in.no_code': 'Der Identitätsanbieter hat die Anmeldung nicht bestätigt.',
  'sign_in.no_profile': 'Der Identitätsanbieter hat keine verwendbare E-Mail-Adresse bestätigt.',
  'sign_in.state_mismatch':
    'Diese Anmeldung wurde in einem anderen Browser begonnen, ist abgelaufen oder wurde schon verwendet.',
  'signing.addon_deleted': 'Das Add-on ist gelöscht.',
  'signing.addon_disabled': 'Der Betreiber hat das Add-on deaktiviert.',
  'signing.uploader_disabled': 'Das Konto, das es hochgeladen hat, ist deaktiviert.',
  'upload.not_valid': 'Dieser Upload ist nicht gültig oder abgelaufen. Laden Sie die Datei erneut hoch.',
  'validation.broke_down': 'Die automatische Prüfung ist ausgefallen.',
  'validation.errors_found#one': 'Die Prüfung hat einen Fehler gefunden.',
  'validation.errors_found#other': 'Die Prüfung hat {count} Fehler gefunden.',
};
