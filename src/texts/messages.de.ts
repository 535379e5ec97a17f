/* The German messages by code, sorted by code. */
import type { GermanTexts } from './message-types.ts';

export const MESSAGES_DE: GermanTexts = {
  'account.last_administrator':
    'Dieses Konto ist das letzte mit der Berechtigung *:*. Geben Sie sie zuerst einem anderen Konto.',
  'file.unusable':
    'Diese Datei ist auf dem Server verloren gegangen oder beschädigt. Wenden Sie sich an den Betreiber.',
  'identity.invalid_subject':
    'Das Subject ist der Name des Anbieters für die Person: 1 bis 255 druckbare ASCII-Zeichen.',
  'identity.last': 'Das ist die einzige Anmeldemöglichkeit des Kontos. Fügen Sie zuerst eine weitere hinzu.',
  'identity.taken': 'Diese Identität gehört zu einem anderen Konto.',
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
  'sign_in.identity_not_linked':
    'Ein Konto hat diese E-Mail-Adresse, aber nicht diese Anmeldemöglichkeit. Melden Sie sich an wie bisher und fügen Sie diese dann auf der Seite Ihres Kontos hinzu.',
  'sign_in.identity_taken': 'Diese Anmeldemöglichkeit gehört zu einem anderen Konto.',
  'sign_in.no_code': 'Der Identitätsanbieter hat die Anmeldung nicht bestätigt.',
  'sign_in.no_profile': 'Der Identitätsanbieter hat keine verwendbare E-Mail-Adresse bestätigt.',
  'sign_in.not_recent':
    'Ihre letzte Anmeldung liegt zu lange zurück. Melden Sie sich erneut an: Dies erfordert eine Anmeldung der letzten 15 Minuten. API-Schlüssel genügen nicht.',
  'sign_in.state_mismatch':
    'Diese Anmeldung wurde in einem anderen Browser begonnen, ist abgelaufen oder wurde schon verwendet.',
  'signing.addon_deleted': 'Das Add-on ist gelöscht.',
  'signing.addon_disabled': 'Der Betreiber hat das Add-on deaktiviert.',
  'signing.uploader_disabled': 'Das Konto, das es hochgeladen hat, ist deaktiviert.',
  'source.too_slow':
    'Das Archiv zu lesen braucht mehr als {seconds} Sekunden Rechenzeit. Senden Sie den Quellcode als .zip oder .tar.gz.',
  'token.access_token_expired':
    'Das Zugriffstoken ist abgelaufen: Es galt bis {time}. Melden Sie sich erneut an, oder erzeugen Sie ein neues.',
  'token.account_disabled': 'Das Konto ist deaktiviert.',
  'token.agreement_not_accepted': 'Das Konto hat die Entwicklervereinbarung nicht angenommen.',
  'token.bad_checksum':
    'Die Signatur ist nicht lesbar. Die Prüfsumme des Zugriffstokens stimmt nicht: Ein Teil fehlt oder wurde verändert.',
  'token.bad_signature': 'Die Signatur ist nicht lesbar.',
  'token.bearer_under_jwt':
    'Die Signatur ist nicht lesbar. Zum Schema „JWT“ gehören Tokens, die ein API-Schlüssel signiert; senden Sie ein Zugriffstoken mit dem Schema „Bearer“.',
  'token.claim_missing': 'Im Token fehlt "{claim}".',
  'token.claim_not_seconds': 'Falscher Typ im Token: "{claim}" ist {type} statt einer Zahl von Sekunden seit 1970.',
  'token.claim_not_text': 'Falscher Typ im Token: "{claim}" ist {type} statt eines Textes (string).',
  'token.claim_out_of_range': 'Falscher Typ im Token: "{claim}" ist zu groß für eine Zahl von Sekunden seit 1970.',
  'token.critical_header':
    'Die Signatur ist nicht lesbar. Der Kopf des Tokens enthält "crit"; das wird nicht unterstützt.',
  'token.exp_in_milliseconds':
    '"exp" ist offenbar in Millisekunden angegeben; senden Sie Sekunden seit 1970, jetzt {now}.',
  'token.exp_not_after_iat': '"exp" ({exp}) liegt nicht nach "iat" ({iat}).',
  'token.exp_too_long': '"exp" liegt {lifetime} s nach "iat"; höchstens {max} s sind möglich.',
  'token.expired': 'Das Token ist abgelaufen. Die Zeit des Servers ist {time}, die Abweichung {skew} s.',
  'token.has_spaces': 'In der Kopfzeile „Authorization“ dürfen die Anmeldedaten keine Leerzeichen enthalten.',
  'token.iat_ahead':
    '"iat" liegt in der Zukunft. Stellen Sie die Uhr Ihres Rechners. Die Zeit des Servers ist {time}, die Abweichung {skew} s.',
  'token.iat_in_milliseconds':
    '"iat" ist offenbar in Millisekunden angegeben; senden Sie Sekunden seit 1970, jetzt {now}.',
  'token.jwt_under_bearer':
    'Die Signatur ist nicht lesbar. Zum Schema „Bearer“ gehören Zugriffstokens; senden Sie das Token eines API-Schlüssels mit dem Schema „JWT“.',
  'token.key_as_token':
    'Die Signatur ist nicht lesbar. Dies ist ein API-Schlüssel, kein Token: Signieren Sie mit seinem Secret ein JSON Web Token und senden Sie dieses.',
  'token.key_expired':
    'Der API-Schlüssel ist abgelaufen: Er galt bis {time}. Erzeugen Sie auf der Seite Ihrer API-Schlüssel einen neuen.',
  'token.no_credentials': 'Die Kopfzeile „Authorization“ enthält keine Anmeldedaten.',
  'token.no_issuer': 'Im Token fehlt "iss", der API-Schlüssel.',
  'token.no_scheme':
    'Sie sind nicht angemeldet. Die Kopfzeile „Authorization“ hat ein Token ohne Schema; senden Sie „JWT“ und ein Token eines API-Schlüssels oder „Bearer“ und ein Zugriffstoken.',
  'token.nonce_control': '"jti" ist ungültig: Es enthält ein Steuerzeichen, etwa ein Zeilenende.',
  'token.nonce_length': '"jti" ist ungültig: Es hat {length} Zeichen; möglich sind 1 bis {max}.',
  'token.nonce_not_text': '"jti" ist ungültig: {type} statt eines Textes (string) oder einer Zahl (number).',
  'token.not_access_token':
    'Die Signatur ist nicht lesbar. Der Text nach „Bearer“ ist kein Zugriffstoken: Diese beginnen mit „{prefix}“.',
  'token.not_three_parts':
    'Die Signatur ist nicht lesbar. Ein JSON Web Token hat 3 Teile mit Punkten dazwischen; dieses hat {parts}.',
  'token.not_yet_valid':
    'Das Token gilt noch nicht: "nbf" ist {nbf}. Die Zeit des Servers ist {time}, die Abweichung {skew} s.',
  'token.refreshable': 'Tokens von API-Schlüsseln lassen sich nicht verlängern: Lassen Sie "orig_iat" weg.',
  'token.replayed': 'Dieses "jti" wurde schon verwendet.',
  'token.unknown_access_token': 'Die Anmeldedaten sind nicht gültig.',
  'token.unknown_scheme':
    'Sie sind nicht angemeldet. Die Kopfzeile „Authorization“ hat das Schema „{scheme}“; senden Sie „JWT“ und ein Token eines API-Schlüssels oder „Bearer“ und ein Zugriffstoken.',
  'token.unreadable_claims':
    'Die Signatur ist nicht lesbar. Die Angaben des Tokens, sein zweiter Teil, sind kein JSON-Objekt in base64url.',
  'token.unreadable_header':
    'Die Signatur ist nicht lesbar. Der Kopf des Tokens, sein erster Teil, ist kein JSON-Objekt in base64url.',
  'token.wrong_algorithm': 'Die Signatur ist nicht lesbar. Der Kopf des Tokens muss "alg": "HS256" enthalten.',
  'upload.not_valid': 'Dieser Upload ist nicht gültig oder abgelaufen. Laden Sie die Datei erneut hoch.',
  'upload.warnings_not_read': 'Bestätigen Sie, dass Sie die Warnungen der automatischen Prüfung gelesen haben.',
  'validation.broke_down': 'Die automatische Prüfung ist ausgefallen.',
  'validation.errors_found#one': 'Die Prüfung hat einen Fehler gefunden.',
  'validation.errors_found#other': 'Die Prüfung hat {count} Fehler gefunden.',
};
