/* The German messages by code, sorted by code. */
import type { GermanTexts } from './message-types.ts';

export const MESSAGES_DE: GermanTexts = {
  'abuse.about_moderator':
    'Diese Meldung betrifft Sie oder ein Add-on von Ihnen. Darüber entscheidet ein anderes Mitglied der Moderation.',
  'abuse.message_too_long': 'Höchstens {count} Zeichen.',
  'abuse.nothing_decided': 'Wählen Sie eine Entscheidung, oder schreiben Sie eine Notiz oder eine Antwort.',
  'abuse.replied_since':
    'Inzwischen wurde diese Meldung schon beantwortet. Lesen Sie die Antwort, bevor Sie Ihre senden.',
  'abuse.reporter_unreachable': 'Die Meldung ist anonym, oder ihr Absender bekommt keine E-Mails.',
  'account.automatic': 'Dieses Konto benutzt der Dienst selbst.',
  'account.biography_links': 'Links sind nicht erlaubt.',
  'account.disables_itself': 'Sie können Ihr eigenes Konto nicht deaktivieren.',
  'account.display_name_denied': 'Dieser Anzeigename ist nicht erlaubt.',
  'account.display_name_invisible': 'Ein Anzeigename braucht mindestens ein sichtbares Zeichen.',
  'account.email_taken': 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  'account.invalid_username': 'Verwenden Sie nur Buchstaben, Ziffern, Unter- und Bindestriche.',
  'account.is_author':
    'Dieses Konto ist an Add-ons beteiligt. Löschen Sie diese zuerst, oder übergeben Sie sie anderen Autoren und tragen Sie sich aus.',
  'account.last_administrator':
    'Dieses Konto ist das letzte mit der Berechtigung *:*. Geben Sie sie zuerst einem anderen Konto.',
  'account.unknown_username': 'Ein Konto mit dem Namen „{name}“ gibt es nicht.',
  'account.username_denied': 'Dieser Benutzername ist nicht erlaubt.',
  'account.username_digits': 'Ein Benutzername darf nicht nur aus Ziffern bestehen.',
  'account.username_registered': 'Diesen Benutzernamen gibt es schon.',
  'account.username_taken': 'Diesen Benutzernamen gibt es schon.',
  'addon.not_deleted': 'Dieses Add-on ist nicht gelöscht.',
  'addon.not_owner': 'Dieses Add-on gehört einem anderen Konto.',
  'addon.unknown': 'Das Add-on „{name}“ gibt es nicht.',
  'addon.unknown_reference':
    'Das Add-on „{name}“ gibt es nicht. Nennen Sie seinen Kurznamen aus der Adresse seiner Seite, seine ID im Manifest oder seine Nummer.',
  'addon.unknown_similar':
    'Das Add-on „{name}“ gibt es nicht. Nennen Sie seinen Kurznamen aus der Adresse seiner Seite, seine ID im Manifest oder seine Nummer. Meinten Sie {matches}?',
  'address.too_many': 'Sie haben {count} Update-Adressen für dieses Add-on. Beenden Sie zuerst eine davon.',
  'address.too_many_unused':
    'Sie haben {count} Update-Adressen für Add-ons, die nicht hochgeladen wurden. Beenden Sie zuerst eine davon.',
  'application.invalid_version': '„{version}“ ist keine Version eines Programms.',
  'audit.no_such_entry': 'Das Protokoll hat keinen solchen Eintrag.',
  'author.already_invited':
    'Für dieses Konto gibt es eine Einladung. Senden Sie sie erneut oder ziehen Sie sie zuerst zurück.',
  'author.listed_by_others': 'Nur Autoren selbst entscheiden, dass die Seite des Add-ons sie zeigt.',
  'author.no_owner': 'Ein Add-on braucht mindestens einen Eigentümer.',
  'author.none_listed': 'Mindestens ein Autor muss auf der Add-on-Seite stehen.',
  'author.not_author': 'Dieses Konto ist an dem Add-on nicht beteiligt.',
  'author.order_incomplete': 'Geben Sie alle Autoren des Add-ons an, jeden einmal.',
  'author.too_many': 'Ein Add-on hat höchstens {count} Autoren.',
  'author.too_many_invited#one': 'Ein Add-on hat höchstens {count} Autor, Eingeladene eingeschlossen.',
  'author.too_many_invited#other': 'Ein Add-on hat höchstens {count} Autoren, Eingeladene eingeschlossen.',
  'author.twice': 'Dieses Konto ist schon beteiligt.',
  'author.unknown_account': 'Dieses Konto gibt es nicht.',
  'canned_response.name_taken': 'Diesen Namen gibt es schon.',
  'category.addon_featured':
    'Solange das Add-on für dieses Programm empfohlen wird, lassen sich seine Kategorien nicht ändern.',
  'category.invalid_slug':
    'Ein Kurzname besteht aus Kleinbuchstaben, Ziffern und einzelnen Bindestrichen, höchstens 64 Zeichen.',
  'category.miscellaneous': '„Sonstiges“ lässt sich nicht mit anderen Kategorien kombinieren.',
  'category.no_name': 'Eine Kategorie braucht einen Namen.',
  'category.not_of_type': 'Diese Kategorie gibt es für diese Art von Add-on nicht.',
  'category.too_many': 'Höchstens {count} Kategorien sind möglich.',
  'category.two_choices': 'Wählen Sie die Kategorien auf eine Weise, nicht auf zwei.',
  'category.unknown': 'Diese Kategorie gibt es nicht.',
  'category.unknown_slug': 'Die Kategorie „{category}“ gibt es für dieses Programm nicht.',
  'category.used': 'Diese Kategorie wird benutzt.',
  'category.weight_too_large': 'Dieses Gewicht ist zu groß.',
  'code.invalid_context': 'Zeilen im Umfeld: von 0 bis {max}.',
  'code.invalid_lines': 'Zeilen sind ab 1 nummeriert, und eine Anfrage enthält höchstens {max}.',
  'code.too_much': 'Das Lesen des Pakets braucht zu viel Zeit oder Speicher.',
  'code.unfinished': 'Das Paket wird noch gelesen. Versuchen Sie es in einigen Sekunden noch einmal.',
  'collection.addon_there': 'Dieses Add-on ist schon in der Sammlung.',
  'collection.full': 'Eine Sammlung hat höchstens {count} Add-ons.',
  'collection.invalid_slug': 'Geben Sie einen Kurznamen aus Buchstaben, Ziffern, Unterstrichen und Bindestrichen ein.',
  'collection.slug_taken': 'Eine andere Ihrer Sammlungen hat schon diesen Kurznamen.',
  'collection.unknown_addon': 'Es gibt kein öffentliches Add-on mit dieser ID, diesem Kurznamen oder dieser GUID.',
  'compatibility.application_twice': 'Jedes Programm darf nur einmal vorkommen.',
  'compatibility.invalid_range': 'Dieser Bereich von Versionen ist nicht möglich.',
  'compatibility.no_applications': 'Geben Sie mindestens ein Programm an.',
  'compatibility.not_for_type': 'Bei dieser Art von Add-on lässt sich die Kompatibilität nicht ändern.',
  'compatibility.set_by_manifest': 'Die Kompatibilität mit diesem Programm legt das Manifest fest ({app}).',
  'compatibility.static_theme': 'Die Programme eines Themes lassen sich nicht ändern.',
  'compatibility.unknown_app': 'Dieses Programm gibt es nicht.',
  'compatibility.unknown_max': 'Die neueste Version ist keine bekannte Version des Programms.',
  'compatibility.unknown_min': 'Die älteste Version ist keine bekannte Version des Programms.',
  'curation.exists': 'Das gibt es schon. Öffnen Sie es, um es zu ändern.',
  'curation.no_position': 'Wählen Sie eine Position von 1 bis {count}.',
  'curation.twice': 'Die Liste hat ein Add-on doppelt. Entfernen Sie einen der Einträge.',
  'demo.unknown_account': 'Dieses Konto gibt es in der Demo nicht.',
  'featured.invalid_category':
    'Programm, Kategorie oder Art ist ungültig. Die Kategorie „{value}“ gibt es für sie nicht.',
  'featured.invalid_size': 'Geben Sie eine Zahl von 1 bis {count} an.',
  'featured.no_app': 'Programm, Kategorie oder Art ist ungültig. „app“ fehlt; möglich sind: {words}.',
  'featured.unknown_app': 'Programm, Kategorie oder Art ist ungültig. „app“ ist „{value}“; möglich sind: {words}.',
  'featured.unknown_type':
    'Programm, Kategorie oder Art ist ungültig. „type“ enthält „{value}“; möglich sind, mit Kommas getrennt: {words}.',
  'field.blank': 'Füllen Sie dieses Feld aus.',
  'field.control_characters': 'Steuerzeichen sind nicht erlaubt.',
  'field.negative': 'Geben Sie 0 oder eine größere Zahl ein.',
  'field.not_boolean': 'Möglich sind nur Ja und Nein.',
  'field.not_email': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'field.not_file':
    'Das ist keine Datei. Senden Sie sie als Teil von multipart/form-data mit einem Dateinamen, oder null.',
  'field.not_list': 'Erwartet wird eine Liste.',
  'field.not_text': 'Das ist kein gültiger Text.',
  'field.not_texts': 'Senden Sie ein Objekt der Form {form}.',
  'field.not_url': 'Geben Sie eine Adresse ein, die mit http:// oder https:// beginnt.',
  'field.not_whole_number': 'Geben Sie eine ganze Zahl ein.',
  'field.nul_characters': 'NUL-Zeichen sind nicht erlaubt.',
  'field.null': 'Füllen Sie dieses Feld aus.',
  'field.required': 'Füllen Sie dieses Feld aus.',
  'field.text_changed': 'Dieser Text wurde geändert, seit Sie die Seite geöffnet haben.',
  'field.text_too_long': 'Höchstens {count} Zeichen.',
  'field.too_long': 'Höchstens {count} Zeichen.',
  'field.too_many_entries': 'Höchstens {count} Einträge.',
  'field.unknown_language': 'Den Sprachcode „{code}“ gibt es nicht.',
  'field.unstorable_text': 'Dieser Text lässt sich nicht speichern.',
  'field.value_changed': 'Dieser Wert wurde geändert, seit Sie die Seite geöffnet haben.',
  'file.not_read': 'Die Datei konnte nicht gelesen werden ({code}).',
  'file.not_stored': 'Die Datei konnte nicht gespeichert werden ({code}).',
  'file.range_past_end': 'Der verlangte Bereich beginnt nach dem Ende der Datei. Sie hat {size} Byte.',
  'file.unusable':
    'Diese Datei ist auf dem Server verloren gegangen oder beschädigt. Wenden Sie sich an den Betreiber.',
  'filter.too_many_ids': 'Höchstens {count} IDs.',
  'form.choose_file': 'Wählen Sie eine Datei aus.',
  'form.disconnected': 'Die Formulardaten sind fehlerhaft: Die Verbindung endete vor ihrem Ende.',
  'form.empty_body': 'Die Formulardaten sind fehlerhaft: Die Anfrage ist leer. Senden Sie die Teile des Formulars.',
  'form.field_too_long': 'Die Formulardaten sind fehlerhaft: Das Feld „{name}“ ist länger als {max} Byte.',
  'form.field_twice': 'Die Formulardaten sind fehlerhaft: Das Feld „{name}“ kommt mehrmals vor. Senden Sie es einmal.',
  'form.file_in_other_part':
    'Im Formular fehlt die Datei „{name}“. Die Datei steht im Teil „{other}“; nennen Sie diesen „{name}“.',
  'form.file_too_large': 'Die Datei ist größer als {size}.',
  'form.file_used_twice':
    'Die GraphQL-Anfrage ist fehlerhaft: Zwei Werte verwenden dieselbe Datei. Senden Sie für jeden eine Anfrage.',
  'form.file_without_name':
    'Der Teil „{name}“ des Formulars hat keinen Dateinamen: Senden Sie ihn als Datei, mit filename="…" in Content-Disposition.',
  'form.incomplete': 'Im Formular fehlen Teile.',
  'form.invalid_fields': 'Einige Felder sind ungültig.',
  'form.invalid_map_entry':
    'Die GraphQL-Anfrage ist fehlerhaft: Der Eintrag „{key}“ von „map“ ist keine Liste von Pfaden wie variables.input.file.',
  'form.line_feeds': 'Die Formulardaten sind fehlerhaft: Die Zeilen enden mit LF. Sie müssen mit CR LF enden.',
  'form.malformed': 'Die Formulardaten sind fehlerhaft: {problem}.',
  'form.malformed_part_header':
    'Die Formulardaten sind fehlerhaft: Der Header „{line}“ eines Teils ist ungültig. Ein Header hat einen Namen, einen Doppelpunkt und keine Steuerzeichen.',
  'form.malformed_part_headers':
    'Die Formulardaten sind fehlerhaft: Die Header eines Teils sind ungültig oder länger als {max} Byte.',
  'form.malformed_type':
    'Die Formulardaten sind fehlerhaft: Der Header Content-Type „{type}“ ist ungültig. Lassen Sie ihn von Ihrer HTTP-Bibliothek schreiben.',
  'form.no_boundary':
    'Die Formulardaten sind fehlerhaft: Im Header Content-Type fehlt „boundary“. Lassen Sie ihn von Ihrer HTTP-Bibliothek schreiben.',
  'form.no_channel': 'Im Formular fehlt „channel“ (listed oder unlisted).',
  'form.no_content_type': 'In der Anfrage fehlt Content-Type; senden Sie multipart/form-data mit der Datei „{name}“.',
  'form.no_field': 'Im Formular fehlt „{name}“.',
  'form.no_file': 'Im Formular fehlt die Datei „{name}“.',
  'form.no_graphql_field': 'Die GraphQL-Anfrage ist fehlerhaft: Das Feld „{name}“ fehlt.',
  'form.no_mapped_file':
    'Die GraphQL-Anfrage ist fehlerhaft: Die Datei fehlt. Senden Sie sie in dem Teil, den „map“ nennt.',
  'form.not_an_option': 'Wählen Sie einen der angebotenen Werte.',
  'form.not_json':
    'Die GraphQL-Anfrage ist fehlerhaft: Das Feld „{name}“ ist kein JSON. Senden Sie es so, wie die „GraphQL multipart request specification“ es beschreibt.',
  'form.not_multipart':
    'Der Inhaltstyp der Anfrage ist „{type}“; senden Sie multipart/form-data mit der Datei „{name}“.',
  'form.not_object': 'Die GraphQL-Anfrage ist fehlerhaft: Das Feld „{name}“ ist kein JSON-Objekt.',
  'form.not_one_operation':
    'Die GraphQL-Anfrage ist fehlerhaft: Das Feld „operations“ ist keine einzelne GraphQL-Operation. Senden Sie ein Objekt mit „query“ und „variables“.',
  'form.other_addon_name': 'Das ist nicht der Name dieses Add-ons.',
  'form.other_boundary':
    'Die Formulardaten sind fehlerhaft: Sie beginnen nicht mit {boundary}, der Grenze aus dem Header Content-Type. Lassen Sie beides von Ihrer HTTP-Bibliothek schreiben.',
  'form.other_site': 'Das Formular kam von einer anderen Website.',
  'form.out_of_date': 'Das Formular ist veraltet.',
  'form.part_headers_too_long': 'Die Formulardaten sind fehlerhaft: Die Header eines Teils sind länger als {max} Byte.',
  'form.part_without_headers':
    'Die Formulardaten sind fehlerhaft: Ein Teil hat keine Header. Jeder braucht Content-Disposition: form-data; name="…".',
  'form.part_without_name':
    'Im Formular fehlt die Datei „{name}“. Eine Datei steht in einem Teil ohne Namen; nennen Sie ihn mit Content-Disposition: form-data; name="{name}".',
  'form.too_large': 'Das Formular ist größer als {max} Byte.',
  'form.too_many_fields': 'Die Formulardaten sind fehlerhaft: Sie enthalten mehr als {max} Felder.',
  'form.too_many_files':
    'Die Formulardaten sind fehlerhaft: Sie enthalten mehr als eine Datei. Senden Sie in jeder Anfrage eine Datei.',
  'form.too_many_parts': 'Die Formulardaten sind fehlerhaft: Sie enthalten mehr als {max} Teile.',
  'form.truncated':
    'Die Formulardaten sind fehlerhaft: Ihr Ende fehlt, das {boundary}-- ist. Senden Sie die Anfrage noch einmal.',
  'form.type_text': 'Geben Sie „{text}“ ein.',
  'form.unknown': 'Die Anfrage gehört zu keinem Formular dieser Seite.',
  'form.unknown_map_path':
    'Die GraphQL-Anfrage ist fehlerhaft: Der Pfad „{path}“ von „map“ führt in „operations“ nirgendwohin. Verwenden Sie einen Pfad wie variables.input.file.',
  'form.wrong_order':
    'Die GraphQL-Anfrage ist fehlerhaft: Die Teile stehen in falscher Reihenfolge. Senden Sie „operations“, dann „map“, dann die Datei.',
  'group.invalid_rule': '„{rule}“ ist keine Regel der Form app:action.',
  'group.name_taken': 'Eine Gruppe mit diesem Namen gibt es schon.',
  'group.not_a_rule': '„{rule}“ ist keine Berechtigung. Sie hat die Form app:action; jeder Teil kann * sein.',
  'group.reserved_name': '„{name}“ ist als Name einer Gruppe nicht möglich.',
  'group.too_many_rules': 'Eine Gruppe hat höchstens {count} Regeln.',
  'group.unknown': 'Eine Gruppe mit dem Namen „{name}“ gibt es nicht.',
  'guid.invalid': 'Das ist keine gültige ID eines Add-ons.',
  'guid.not_guid': '„{name}“ ist keine ID eines Add-ons.',
  'guid.reserved': 'Add-ons, deren ID so endet, dürfen Sie nicht einreichen: {suffixes}',
  'hero.addon_or_external': 'Nennen Sie entweder ein Add-on oder eines von anderswo.',
  'hero.invalid_color': 'Geben Sie eine Farbe wie #20123a ein.',
  'hero.three_modules': 'Der zweite Teil hat genau {count} Module.',
  'icon.animated':
    'Das Symbol darf nicht animiert sein. Die Datei ist ein animiertes PNG: Speichern Sie eines der Bilder.',
  'icon.empty_file': 'Das Symbol muss eine PNG- oder JPEG-Datei sein. Die Datei ist leer.',
  'icon.no_picture': 'Das Symbol muss eine PNG- oder JPEG-Datei sein. Der Inhalt der Datei ist kein Bild.',
  'icon.other_format': 'Das Symbol muss eine PNG- oder JPEG-Datei sein. Der Inhalt der Datei ist {format}.',
  'icon.side_too_long': 'Das Symbol darf höchstens 65535 Pixel breit und hoch sein. Dieses hat {width} mal {height}.',
  'icon.too_many_pixels': 'Das Symbol darf höchstens 16 Millionen Pixel haben. Dieses hat {width} mal {height}.',
  'id.other_type': 'Die Angabe passt zu keinem Objekt dieser Art.',
  'identity.invalid_subject':
    'Das Subject ist der Name des Anbieters für die Person: 1 bis 255 druckbare ASCII-Zeichen.',
  'identity.last': 'Das ist die einzige Anmeldemöglichkeit des Kontos. Fügen Sie zuerst eine weitere hinzu.',
  'identity.taken': 'Diese Identität gehört zu einem anderen Konto.',
  'image.animated':
    'Das Bild darf nicht animiert sein. Die Datei ist ein animiertes PNG: Speichern Sie eines der Bilder.',
  'image.empty_file': 'Das Bild muss eine PNG- oder JPEG-Datei sein. Die Datei ist leer.',
  'image.no_picture': 'Das Bild muss eine PNG- oder JPEG-Datei sein. Der Inhalt der Datei ist kein Bild.',
  'image.other_format': 'Das Bild muss eine PNG- oder JPEG-Datei sein. Der Inhalt der Datei ist {format}.',
  'image.side_too_long': 'Das Bild darf höchstens 65535 Pixel breit und hoch sein. Dieses hat {width} mal {height}.',
  'image.too_many_pixels': 'Das Bild darf höchstens 16 Millionen Pixel haben. Dieses hat {width} mal {height}.',
  'job.is_running': 'Dieser Auftrag läuft gerade. Warten Sie, bis er endet.',
  'key.agreement_not_accepted':
    'Nehmen Sie zuerst die Entwicklervereinbarung an. Ohne sie gibt es keine API-Schlüssel.',
  'key.expiry_passed': 'Das Ablaufdatum liegt in der Vergangenheit.',
  'key.invalid_label': 'Eine Bezeichnung hat höchstens {count} Zeichen und keine Steuerzeichen.',
  'key.not_author': 'Sie sind kein Autor dieses Add-ons.',
  'key.too_many': 'Ein Konto hat höchstens {count} API-Schlüssel. Widerrufen Sie einen, den Sie nicht mehr benutzen.',
  'key.unknown': 'Den API-Schlüssel „{key}“ gibt es nicht.',
  'language_tools.invalid_app_version':
    'Die Programmversion „{value}“ ist ungültig. Möglich ist eine Version wie 115.0.',
  'language_tools.no_app': 'Das Programm („app“) fehlt; möglich sind: {words}.',
  'language_tools.no_type': 'Mit einer Programmversion ist auch die Art anzugeben.',
  'language_tools.unknown_app': 'Das Programm „{value}“ ist ungültig; möglich sind: {words}.',
  'language_tools.unknown_type':
    'Mit einer Programmversion ist auch die Art anzugeben. „{value}“ ist ungültig; möglich sind: {words}.',
  'license.invalid_identifier':
    'Ein Bezeichner besteht aus Buchstaben, Ziffern und einzelnen Punkten und Bindestrichen, höchstens 64 Zeichen.',
  'license.no_name': 'Eine Lizenz braucht einen Namen.',
  'license.no_text': 'Geben Sie den Text der eigenen Lizenz ein.',
  'license.required_when_listed': 'Eine gelistete Version braucht eine Lizenz.',
  'license.text_in_use':
    'Unter diesem Text wurden schon Versionen angeboten. Legen Sie stattdessen eine neue Lizenz an.',
  'license.two_choices': 'Wählen Sie eine Lizenz aus, oder geben Sie eine eigene ein.',
  'license.two_keys': 'Wählen Sie eine Lizenz aus, oder geben Sie eine eigene ein.',
  'license.unknown': 'Diese Lizenz gibt es nicht.',
  'license.unknown_slug': 'Diese Lizenz gibt es nicht.',
  'license.used': 'Diese Lizenz wird benutzt.',
  'line.account_here': 'ist hier das Konto {id}',
  'line.addon_here': 'ist hier das Add-on {id}',
  'line.author_twice': 'zweimal derselbe Autor',
  'line.builtin_account': 'ist der Name eines eingebauten Kontos',
  'line.column_missing': 'die Spalte {column} fehlt',
  'line.column_twice': 'die Spalte {column} kommt zweimal vor',
  'line.expected_addon': 'die ID eines Add-ons wird erwartet',
  'line.expected_addon_version': 'eine Version des Add-ons wird erwartet',
  'line.expected_application_version': 'eine Version der Anwendung wie 57.0, 57.* oder * wird erwartet',
  'line.expected_author': 'ein Benutzername wird erwartet',
  'line.expected_cells': '{columns} Zellen werden erwartet, nicht {cells}',
  'line.expected_collection_path': 'ein Pfad ohne Schrägstriche am Anfang und Ende wird erwartet',
  'line.expected_color': 'eine Farbe wie #0c0c0d wird erwartet',
  'line.expected_day': 'ein Tag wie {day} wird erwartet',
  'line.expected_destination': 'ein Pfad oder eine HTTP-Adresse wird erwartet',
  'line.expected_either': '{first} oder {second} wird erwartet',
  'line.expected_email': 'eine E-Mail-Adresse wird erwartet',
  'line.expected_file_status': '1, 4 oder 5 wird erwartet',
  'line.expected_flag': 'true oder false wird erwartet',
  'line.expected_group': 'der Name einer Gruppe wird erwartet',
  'line.expected_guid': 'eine Add-on-ID mit höchstens 255 Zeichen wird erwartet',
  'line.expected_hash': 'sha256: und 64 Hexadezimalziffern werden erwartet',
  'line.expected_json': 'das ist kein JSON',
  'line.expected_kind': 'ein Objekt mit „kind“ wird erwartet',
  'line.expected_language': 'eine unterstützte Sprache wird erwartet',
  'line.expected_list': 'eine Liste wird erwartet',
  'line.expected_moment': 'ein Zeitpunkt wie 2018-10-25T09:30:00Z wird erwartet',
  'line.expected_number': 'eine Zahl von {min} bis {max} wird erwartet',
  'line.expected_object': 'ein Objekt wird erwartet',
  'line.expected_one_of': 'eines davon wird erwartet: {words}',
  'line.expected_path': 'ein Pfad unterhalb des Ordners des Katalogs wird erwartet',
  'line.expected_path_or_guids': 'entweder „path“ oder „replacement“ wird erwartet',
  'line.expected_score_or_reply': 'erwartet wird entweder score oder reply_to',
  'line.expected_size': 'Breite und Höhe werden erwartet',
  'line.expected_slug': 'ein Kurzname wird erwartet: ohne Leerzeichen, Schrägstriche, ? und #, nicht nur aus Ziffern',
  'line.expected_tag': 'ein Tag wird erwartet',
  'line.expected_text': 'ein Text wird erwartet',
  'line.expected_texts': 'ein Objekt mit Texten oder null wird erwartet',
  'line.expected_username': 'ein Benutzername wird erwartet: ohne Schrägstriche, ? und #, nicht nur aus Ziffern',
  'line.expected_uuid': 'erwartet wird eine UUID aus 32 hexadezimalen Ziffern',
  'line.expected_version': 'eine Versionsnummer wird erwartet',
  'line.expected_whole': 'eine ganze Zahl von {min} bis {max} wird erwartet',
  'line.expected_word': 'ein Wort ohne Leerzeichen und Schrägstriche wird erwartet',
  'line.file_differs': 'die Datei „{path}“ hat sha256:{sha256}',
  'line.folder': 'eine Datei wird erwartet, kein Ordner',
  'line.future_day': 'dieser Tag liegt in der Zukunft',
  'line.half_character': 'gültiges Unicode wird erwartet, kein halbes Surrogatpaar',
  'line.hash_missing': 'fehlt, denn es gibt keinen Pfad',
  'line.incomplete_ratings': 'rating_count, rating_text_count und rating_average gehören zusammen',
  'line.language_twice': 'zweimal dieselbe Sprache',
  'line.missing': 'fehlt',
  'line.no_account': 'es gibt kein Konto „{username}“',
  'line.no_addon': 'es gibt kein Add-on „{guid}“',
  'line.no_category': 'es gibt keine Kategorie „{category}“ von {app}',
  'line.no_category_of_type': 'es gibt keine Kategorie „{category}“ von {app} für die Art {type}',
  'line.no_entries': 'mindestens ein Eintrag wird erwartet',
  'line.no_file': 'es gibt keine Datei „{path}“',
  'line.no_folder': 'ein Katalog ohne Ordner hat keine Dateien',
  'line.no_group': 'es gibt keine Gruppe „{name}“',
  'line.no_rating': 'es gibt keine Bewertung {id} dieses Add-ons',
  'line.not_json': 'kein JSON: {reason}',
  'line.not_utf8': 'kein UTF-8',
  'line.nul': 'der Text darf keine NUL-Zeichen enthalten',
  'line.other_account': 'ist hier ein anderes Konto, „{username}“',
  'line.other_addon': 'ist hier ein anderes Add-on, „{guid}“',
  'line.other_collection': 'ist hier eine andere Sammlung, „{slug}“',
  'line.other_email': 'ist hier die Adresse eines anderen Kontos, „{username}“',
  'line.other_file': 'ist hier eine Datei von Version „{version}“ von „{guid}“',
  'line.other_preview': 'ist hier ein Vorschaubild von „{guid}“',
  'line.other_rating': 'diese Id gehört einer anderen Bewertung, des Add-ons „{guid}“',
  'line.other_slug': 'ist hier der Kurzname eines anderen Add-ons, „{guid}“',
  'line.other_version': 'ist hier Version „{version}“ von „{guid}“',
  'line.package_of_addon': 'das Paket gehört zum Add-on „{guid}“',
  'line.package_of_version': 'das Paket ist von Version „{version}“',
  'line.quotation_marks': 'die Anführungszeichen passen nicht zusammen',
  'line.rating_here': 'dieselbe Bewertung hat hier die Id {id}',
  'line.same_as': 'dasselbe wie in Zeile {line}',
  'line.signed_here': 'die Datei wurde hier signiert und hat sha256:{sha256}',
  'line.text_too_long': 'höchstens {max} Zeichen sind erlaubt',
  'line.too_long': 'länger als {max} MB',
  'line.too_many_entries': 'höchstens {max} Einträge sind erlaubt',
  'line.too_many_text_ratings': 'mehr als rating_count',
  'line.unknown_column': 'unbekannte Spalte „{name}“; erlaubt sind {columns}',
  'line.unknown_key': 'unbekannter Schlüssel',
  'line.unknown_name': 'unbekannter Schlüssel „{name}“; erlaubt sind {names}',
  'line.version_here': 'ist hier die Version {id}',
  'listing.invalid_slug': 'Verwenden Sie nur Buchstaben, Ziffern, Unter- und Bindestriche.',
  'listing.locale_incomplete':
    'Für eine andere Standardsprache sind Name, Kurzbeschreibung und Beschreibung in dieser Sprache nötig.',
  'listing.name_control_characters': 'Steuerzeichen und Zeichen, die die Schreibrichtung ändern, sind nicht erlaubt.',
  'listing.name_unreadable': 'Verwenden Sie mindestens einen Buchstaben oder eine Ziffer.',
  'listing.not_language_tool': 'Das haben nur Wörterbücher und Sprachpakete.',
  'listing.required_when_listed': 'Ein Add-on mit gelisteten Versionen braucht diese Angabe.',
  'listing.slug_denied': 'Der Name „{slug}“ ist nicht erlaubt. Wählen Sie einen anderen.',
  'listing.slug_taken': 'Diesen Namen gibt es schon. Wählen Sie einen anderen.',
  'listing.text_too_long': 'Höchstens {count} Zeichen; es sind {length}.',
  'mail.invalid_address': '„{address}“ ist keine Adresse.',
  'mail.no_message': 'In der Anfrage fehlt die E-Mail (Message).',
  'mail.not_sent': 'Die E-Mail wurde nicht verschickt: {error}',
  'mail.sent': 'Diese E-Mail wurde schon verschickt.',
  'mailing.incomplete': 'Ein Rundschreiben braucht einen Betreff und einen Text.',
  'mailing.too_long': 'Ein Rundschreiben hat höchstens {count} Zeichen.',
  'mailing.unknown_type': 'Rundschreiben haben die Art {types}, nicht „{type}“.',
  'manifest.app_range_reversed': 'Der Bereich von {app} beginnt mit {min} und endet mit {max}, also davor.',
  'manifest.app_version_malformed': '„{key}“ ist „{value}“ und damit keine Version wie 115.0.',
  'manifest.app_version_not_text': '„{key}“ ist {type} statt eines Textes wie "115.0".',
  'manifest.app_version_too_low':
    'Der kleinste mögliche Wert von „strict_min_version“ ist {version}. Angegeben ist „{value}“.',
  'manifest.app_version_unknown': '„{key}“ ist „{value}“; diese Version ist hier nicht bekannt.',
  'manifest.forbidden_key':
    'Das Manifest ist nicht lesbar. {file}, Zeile {line}, Spalte {column}: Der Schlüssel „{key}“ ist nicht erlaubt.',
  'manifest.id_not_text': 'Das Manifest ist nicht lesbar. „{key}“ ist {type} statt eines Textes (string).',
  'manifest.id_required':
    'Für Desktop-Browser bis Version 47 muss eine ID im Manifest stehen. „strict_min_version“ ist „{value}“.',
  'manifest.invalid_id':
    'Die ID im Manifest ist ungültig. Sie lautet „{id}“; möglich ist eine Form wie name@example.org oder eine UUID in geschweiften Klammern.',
  'manifest.key_not_object': 'Das Manifest ist nicht lesbar. „{key}“ ist {type} statt eines Objekts (object).',
  'manifest.no_version':
    'Die Version stimmt nicht mit dem Manifest überein. Im Manifest fehlt „version“ mit einem Text.',
  'manifest.not_object':
    'Das Manifest ist nicht lesbar. manifest.json ist kein Objekt: Das erste Zeichen muss eine öffnende geschweifte Klammer sein.',
  'manifest.not_utf8':
    'Das Manifest ist nicht lesbar. {file} ist nicht UTF-8. Speichern Sie die Datei in dieser Kodierung.',
  'manifest.rdf_root': 'Das Manifest ist nicht lesbar. Das Wurzelelement von install.rdf ist nicht RDF.',
  'manifest.rdf_subject':
    'Das Manifest ist nicht lesbar. install.rdf enthält keine Beschreibung von urn:mozilla:install-manifest.',
  'manifest.repeated_key':
    'Das Manifest ist nicht lesbar. {file}, Zeile {line}, Spalte {column}: Der Schlüssel „{key}“ steht in einem Objekt zweimal.',
  'manifest.reserved_name': 'Der Name eines Add-ons darf diese Marken nicht enthalten: {names}',
  'manifest.search_name': 'Das Manifest ist nicht lesbar. In der OpenSearch-Beschreibung fehlt ShortName.',
  'manifest.search_page':
    'Das Manifest ist nicht lesbar. In der OpenSearch-Beschreibung fehlt ein Url-Element vom Typ text/html mit einer http- oder https-Adresse.',
  'manifest.search_root':
    'Das Manifest ist nicht lesbar. Die Datei ist keine OpenSearch-Beschreibung: Ihr Wurzelelement ist „{name}“.',
  'manifest.syntax': 'Das Manifest ist nicht lesbar. {file}, Zeile {line}, Spalte {column}: {problem}',
  'manifest.too_deep':
    'Das Manifest ist nicht lesbar. {file}, Zeile {line}, Spalte {column}: Mehr als {max} Ebenen sind verschachtelt.',
  'manifest.too_large': 'Das Manifest ist nicht lesbar. {file} ist größer als 1 MB.',
  'manifest.too_many_permissions': 'Das Manifest ist nicht lesbar. Es enthält mehr als {max} Berechtigungen.',
  'manifest.xml_doctype':
    'Das Manifest ist nicht lesbar. {file} enthält einen Dokumenttyp (<!DOCTYPE>); das ist nicht erlaubt.',
  'mapping.invalid_browser': 'Geben Sie den Namen eines Browsers in Kleinbuchstaben ein, zum Beispiel chrome.',
  'mapping.unknown_browser': 'Für diesen Browser gibt es keine Liste.',
  'notification.mandatory_off': 'Diese Benachrichtigung lässt sich nicht abschalten.',
  'notification.mandatory_on': 'Diese Benachrichtigung lässt sich nicht ändern.',
  'override.invalid_line': '„{line}“ hat nicht die Form 1.0..1.5 desktop_browser 40.0..*',
  'override.invalid_version': '„{version}“ ist keine Version.',
  'override.no_applications': 'Ein Bereich nennt mindestens ein Programm.',
  'package.crx_header':
    'Das Manifest ist nicht lesbar. Der CRX-Kopf der Datei ist beschädigt. Laden Sie das ZIP-Archiv ohne ihn hoch.',
  'package.duplicate_guid': 'Ein Add-on mit dieser ID gibt es schon.',
  'package.duplicate_own_guid':
    'Ein Add-on mit dieser ID gibt es schon. Es gehört Ihnen: Senden Sie weitere Versionen an seine eigene Adresse, als {guid}.',
  'package.empty_archive': 'Im Paket fehlt die Datei manifest.json. Das Archiv enthält keine Dateien.',
  'package.empty_file': 'Das Manifest ist nicht lesbar. Die Datei ist leer.',
  'package.entry_too_large': 'Eine Datei im Paket ist zu groß: {name}',
  'package.file_type': 'Wählen Sie eine Datei mit der Endung .xpi, .zip, .crx oder .xml. Diese heißt „{name}“.',
  'package.id_of_other_addon': 'Die ID im Manifest ({guid}) ist nicht die des Add-ons auf {site} ({expected}).',
  'package.id_required': 'Im Manifest fehlt die ID des Add-ons.',
  'package.invalid_url_guid':
    'Die ID „{guid}“ in der Adresse ist ungültig. Möglich sind eine Form wie name@example.org und eine UUID in geschweiften Klammern.',
  'package.legacy_without_id': 'Im Paket fehlt die ID des Add-ons.',
  'package.legacy_without_url_id': 'Nur WebExtensions können ohne ID hochgeladen werden.',
  'package.lost': 'Das gespeicherte Paket ist verloren gegangen.',
  'package.manifest_in_folder':
    'manifest.json liegt nicht auf der obersten Ebene des Archivs, sondern als {path} in einem Ordner. Packen Sie die Dateien in „{folder}“, nicht den Ordner selbst.',
  'package.manifest_other_case':
    'Im Paket fehlt die Datei manifest.json. Das Archiv enthält {name}: Bei Namen zählt die Groß- und Kleinschreibung.',
  'package.name_absolute': 'Ungültiger Dateiname im Paket: {name} (beginnt mit /)',
  'package.name_backslash':
    'Ungültiger Dateiname im Paket: {name} (mit umgekehrtem Schrägstrich; zwischen Ordnern steht /)',
  'package.name_below_file':
    'Ungültiger Dateiname im Paket: {name} ({other} ist eine Datei, unter der nichts liegen kann)',
  'package.name_control': 'Ungültiger Dateiname im Paket: {name} (mit Steuerzeichen oder Zeilenumbruch)',
  'package.name_dots': 'Ungültiger Dateiname im Paket: {name} (mit dem Teil . oder ..)',
  'package.name_drive': 'Ungültiger Dateiname im Paket: {name} (beginnt mit einem Laufwerksbuchstaben)',
  'package.name_empty_part': 'Ungültiger Dateiname im Paket: {name} (mit einem leeren Teil)',
  'package.name_encoding':
    'Ungültiger Dateiname im Paket. Dateinamen müssen in UTF-8 kodiert sein. Als latin1 gelesen heißt eine {name}.',
  'package.name_marks': 'Ungültiger Dateiname im Paket: {name} (mehr als 30 kombinierende Zeichen auf einem Zeichen)',
  'package.name_not_signable': 'Ungültiger Dateiname im Paket: {name} (eine Signaturdatei kann ihn nicht enthalten)',
  'package.name_of_signature':
    'Ungültiger Dateiname im Paket: {name} (diese Datei schreibt die Signierung; lassen Sie sie weg)',
  'package.name_space': 'Ungültiger Dateiname im Paket: {name} (beginnt oder endet mit einem Leerzeichen)',
  'package.name_too_long': 'Ungültiger Dateiname im Paket: {name} (länger als {max} Byte)',
  'package.name_twice':
    'Ungültiger Dateiname im Paket: {name} (auf Systemen, die Groß- und Kleinschreibung oder zusammengesetzte Zeichen nicht unterscheiden, heißt {other} ebenso)',
  'package.names_too_long_to_sign':
    'Das Paket lässt sich nicht signieren: Es enthält zu viele und zu lange Dateinamen.',
  'package.no_manifest': 'Im Paket fehlt die Datei manifest.json. Die oberste Ebene enthält: {names}',
  'package.not_zip':
    'Das Manifest ist nicht lesbar. Die Datei ist kein ZIP-Archiv, oder ihr Ende fehlt. Packen Sie die Dateien des Add-ons als ZIP.',
  'package.number_deleted':
    'Version {version} wurde schon einmal hochgeladen und gelöscht. Verwenden Sie eine neue Nummer.',
  'package.number_taken': 'Version {version} gibt es schon.',
  'package.other_applications':
    'Die Datei install.rdf nennt nur andere Anwendungen: {ids}. Ergänzen Sie eine „targetApplication“ für eine unterstützte Anwendung.',
  'package.other_id': 'Die ID im Manifest, „{guid}“, ist eine andere als die in der Adresse, „{expected}“.',
  'package.other_type': 'Das Paket ist vom Typ {type}, das Add-on auf {site} vom Typ {expected}.',
  'package.reader_failed':
    'Das Paket ist ungültig: Es zu lesen braucht zu viel Zeit oder Speicher. Der Speicher reichte nicht, oder das Lesen brach ab.',
  'package.reader_timeout':
    'Das Paket ist ungültig: Es zu lesen braucht zu viel Zeit oder Speicher. Es wurde nach {seconds} Sekunden beendet.',
  'package.replaced': 'Das gespeicherte Paket weicht vom hochgeladenen ab.',
  'package.theme_too_large': 'Ein Theme darf höchstens 7 MB groß sein.',
  'package.trailing_bytes#one':
    'Das Manifest ist nicht lesbar: Nach dem Ende des Archivs folgt {count} Byte. Schreiben Sie das Archiv in eine Datei statt in die Standardausgabe.',
  'package.trailing_bytes#other':
    'Das Manifest ist nicht lesbar: Nach dem Ende des Archivs folgen {count} Byte. Schreiben Sie das Archiv in eine Datei statt in die Standardausgabe.',
  'package.two_names':
    'Ungültiger Dateiname im Paket: {name} heißt dort auch {path}. Packen Sie mit Namen in UTF-8, zum Beispiel mit der Umgebungsvariablen LC_ALL=C.UTF-8.',
  'package.type_not_permitted': 'Add-ons dieser Art dürfen Sie nicht einreichen.',
  'package.unusable_target':
    'Der Bereich {min} bis {max} für {app} in der Datei install.rdf enthält keine bekannte Version.',
  'package.url_guid_too_long': 'Eine ID mit mehr als 64 Zeichen muss im Manifest stehen.',
  'package.vendor_signed': 'Pakete mit der Signatur von {site} dürfen Sie nicht einreichen.',
  'package.version_characters':
    'Eine Versionsnummer besteht aus Buchstaben, Ziffern und den Zeichen + * . - _ Diese lautet „{version}“.',
  'package.version_exists': 'Diese Version gibt es schon. Die neueste ist {version}.',
  'package.version_mismatch':
    'Die Version stimmt nicht mit dem Manifest überein. Die Anfrage nennt {declared}, das Manifest {version}.',
  'package.version_too_long': 'Eine Versionsnummer hat höchstens 32 Zeichen. Diese hat {length}.',
  'package.zip_damaged_entry':
    'Das Paket ist kein gültiges Archiv. Der Inhalt von {name} ist beschädigt: Größe oder Prüfsumme stimmen nicht.',
  'package.zip_directory':
    'Das Manifest ist nicht lesbar. Das Verzeichnis des ZIP-Archivs ist beschädigt. Packen Sie die Dateien erneut.',
  'package.zip_encrypted':
    'Das Manifest ist nicht lesbar. {name} ist verschlüsselt. Packen Sie die Dateien ohne Passwort.',
  'package.zip_extra_field':
    'Das Manifest ist nicht lesbar. {name} hat das Zusatzfeld {id}, das nicht unterstützt wird oder beschädigt ist.',
  'package.zip_feature':
    'Das Manifest ist nicht lesbar. {name} benutzt eine Funktion von ZIP, die nicht unterstützt wird (Flags {flags}).',
  'package.zip_gap':
    'Das Paket ist kein gültiges Archiv. Vor {name} stehen Bytes, die zu keiner Datei gehören, oder Dateien überlappen sich.',
  'package.zip_header_differs':
    'Das Paket ist kein gültiges Archiv. Der Kopf von {name} weicht vom Verzeichnis des Archivs ab.',
  'package.zip_method':
    'Das Manifest ist nicht lesbar. {name} ist mit der Methode {method} komprimiert. Verwenden Sie Deflate (8) oder keine (0).',
  'package.zip_not_plain':
    'Das Manifest ist nicht lesbar. Das Archiv hat einen Kommentar, zip64-Felder oder einen CRX-Kopf. Ein Paket, das seine Signatur behält, darf sie nicht haben.',
  'package.zip_prefix':
    'Das Manifest ist nicht lesbar. Vor dem ZIP-Archiv stehen andere Bytes. Packen Sie die Dateien erneut, nicht als selbstentpackendes Archiv.',
  'package.zip_ratio':
    'Das Paket ist kein gültiges Archiv. Es ist mehr als {ratio}-fach komprimiert, wie Archive, die Festplatten füllen sollen.',
  'package.zip_sizes': 'Das Paket ist kein gültiges Archiv. Die angegebenen Größen von {name} sind unmöglich.',
  'package.zip_special_file':
    'Das Paket ist kein gültiges Archiv. {name} ist ein symbolischer Link oder eine andere besondere Datei. Packen Sie nur gewöhnliche Dateien.',
  'package.zip_split':
    'Das Manifest ist nicht lesbar. Das ZIP-Archiv ist auf mehrere Dateien verteilt. Packen Sie es als eine Datei.',
  'package.zip_too_large_unpacked':
    'Das Paket ist kein gültiges Archiv. Die entpackten Dateien sind zusammen größer als {size} MB.',
  'package.zip_too_many':
    'Das Paket ist kein gültiges Archiv. Es enthält {entries} Dateien; höchstens {max} sind möglich.',
  'package.zip_truncated':
    'Das Paket ist kein gültiges Archiv. Die Datei endet vor dem Ende des Archivs. Laden Sie sie erneut hoch.',
  'page.cursor_of_other_list': 'Diese Stelle der Liste gibt es nicht.',
  'page.invalid_number': 'Die Nummern der Seiten beginnen mit 1.',
  'page.invalid_size': 'Der Wert von „{name}“ muss zwischen 1 und {count} liegen.',
  'page.not_number': 'Die Seite „{value}“ gibt es nicht. Seiten haben Nummern ab 1.',
  'page.past_end': 'Die Seite {page} gibt es nicht. Die letzte ist {last}.',
  'page.two_directions': 'Geben Sie nur eine Richtung der Liste an.',
  'page.two_styles': 'Geben Sie entweder eine Seite oder eine Stelle der Liste an.',
  'parameter.app_missing': '„app“ fehlt, obwohl „{name}“ angegeben ist: Senden Sie beides oder keines.',
  'parameter.list_not_one_of':
    'Der Wert „{value}“ in „{name}“ ist ungültig. Möglich sind, mit Kommas getrennt: {words}.',
  'parameter.not_one_of': 'Der Wert „{value}“ von „{name}“ ist ungültig. Möglich sind: {words}.',
  'parameter.not_version': 'Der Wert „{value}“ von „{name}“ ist ungültig. Möglich ist eine Version wie 115.0.',
  'parameter.nul': 'Der Wert von „{name}“ ist ungültig. Er enthält ein NUL-Zeichen; lassen Sie es weg.',
  'parameter.too_many': 'Der Wert von „{name}“ ist ungültig. Er hat {found} Einträge; möglich sind {max}.',
  'parameter.unknown_category': 'Die Kategorie „{value}“ gibt es für dieses Programm und diese Art nicht.',
  'parameter.unknown_locale': 'Den Sprachcode „{value}“ gibt es nicht. Möglich ist ein Code wie en-US.',
  'persona.changed': 'Es hat sich geändert, seit Sie es angesehen haben.',
  'persona.invalid_color': 'Geben Sie eine Farbe in der Form #rrggbb ein. Diese ist „{value}“.',
  'persona.not_persona': 'Dieses Add-on ist kein leichtes Theme.',
  'persona.not_waiting': 'Dieses Theme wartet nicht auf eine Prüfung.',
  'picture.damaged':
    'Die Datei ist beschädigt: Sie beginnt als {format}, aber ihr Inhalt ist fehlerhaft oder unvollständig.',
  'picture.empty_file': 'Die Datei ist leer. Möglich sind PNG und JPEG.',
  'picture.import_too_large': 'Das Bild darf höchstens 32 MB groß sein.',
  'picture.no_picture': 'Der Inhalt der Datei ist kein Bild. Möglich sind PNG und JPEG.',
  'picture.not_processed': 'Das Bild konnte nicht verarbeitet werden. Versuchen Sie es später erneut.',
  'picture.other_size':
    'Das Bild muss genau {width} Pixel breit und {height} Pixel hoch sein. Es hat {foundWidth} mal {foundHeight}.',
  'picture.persona_too_large': 'Das Bild darf höchstens 300 KB groß sein.',
  'picture.too_large': 'Das Bild darf höchstens {max} Byte groß sein.',
  'picture.too_many_previews': 'Ein Add-on hat höchstens {max} Bildschirmfotos. Löschen Sie zuerst eines.',
  'picture.too_slow':
    'Das Bild konnte nicht verarbeitet werden. Es zu lesen dauert zu lange: Versuchen Sie es später oder mit einem kleineren Bild.',
  'publisher.exists': 'Das Add-on hat diese vertraute Quelle schon.',
  'publisher.invalid_audience':
    'Eine Zielgruppe hat 3 bis 300 Zeichen ohne Leerzeichen, etwa die Adresse dieses Dienstes.',
  'publisher.invalid_subject':
    'Geben Sie die ganze Angabe „sub“ ein, etwa repo:example/notes:ref:refs/heads/main. „*“ ist am Ende möglich, nach dem Eigentümer des Repositorys und einem Schrägstrich.',
  'publisher.invalid_token': 'Das ID-Token ist ungültig. {reason}',
  'publisher.issuer_not_offered': 'Unbekannter Aussteller. Wählen Sie einen von: {issuers}.',
  'publisher.issuer_unavailable':
    'Die Schlüssel des Ausstellers des ID-Tokens können gerade nicht gelesen werden. Versuchen Sie es in einer Minute noch einmal.',
  'publisher.no_match':
    'Das ID-Token ist gültig, aber keine vertraute Quelle dieses Add-ons hat seine Zielgruppe und passt zu seinem Subjekt „{subject}“.',
  'publisher.none':
    'Keine vertraute Quelle dieses Add-ons hat den Aussteller „{issuer}“. Seine Eigentümer fügen sie auf der Seite „Veröffentlichen“ des Add-ons hinzu.',
  'publisher.replayed': 'Das ID-Token wurde schon eingetauscht. Fordern Sie in jedem Job ein neues an.',
  'publisher.too_many':
    'Ein Add-on hat höchstens {count} vertraute Quellen. Entfernen Sie eine, die nicht mehr benutzt wird.',
  'publisher.unknown_issuer':
    'Der Aussteller „{issuer}“ des ID-Tokens gehört nicht zu denen, die dieser Dienst annimmt.',
  'rating.flagged': 'Danke; diese Bewertung ist den Moderatoren gemeldet.',
  'rating.flagged_since':
    'Die Meldungen haben sich geändert, seit Sie sie gelesen haben. Lesen Sie sie, bevor Sie entscheiden.',
  'rating.list_of_nothing': 'Es fehlt der Parameter addon oder user.',
  'rating.not_own_id': 'Der Wert von {name} muss die Id Ihres Kontos sein.',
  'rating.note_required': 'Schreiben Sie, was daran nicht stimmt.',
  'rating.other_version': 'Das ist keine öffentliche Version des Add-ons.',
  'rating.own_addon': 'Die Autoren eines Add-ons können es nicht bewerten.',
  'rating.reply_to_reply': 'Das ist eine Antwort, auf die es keine Antworten gibt.',
  'rating.score_range': 'Wählen Sie eine Bewertung von 1 bis 5.',
  'rating.version_rated': 'Sie haben diese Version des Add-ons schon bewertet. Bearbeiten Sie diese Bewertung.',
  'replacement.invalid_path': 'Ein Pfad beginnt mit /, eine Adresse mit https:// oder http:// und einem Rechnernamen.',
  'replacement.no_path': 'Eine Liste braucht einen Pfad.',
  'replacement.path_or_guids': 'Geben Sie einen Pfad oder IDs an, nicht beides.',
  'request.failed': 'Interner Fehler',
  'request.incomplete': 'Die Anfrage ist unvollständig: Die Verbindung endete vor ihrem Ende.',
  'request.invalid_argument': 'Die Anfrage enthält eine ungültige Angabe.',
  'request.method_not_allowed': 'Die Methode „{method}“ ist hier nicht erlaubt.',
  'request.no_match': 'Die Anfrage entspricht nicht ihrem Schema.',
  'request.not_found': 'Das gibt es nicht oder nicht mehr.',
  'request.not_json': 'Die Anfrage ist kein gültiges JSON. {problem}',
  'request.not_object': 'Die Anfrage ist kein JSON-Objekt.',
  'request.not_permitted': 'Dazu fehlt Ihnen die Berechtigung.',
  'request.prototype_key': 'Das JSON hat den Schlüssel „__proto__“.',
  'request.throttled#one': 'Zu viele Anfragen. Versuchen Sie es in {count} Sekunde erneut.',
  'request.throttled#other': 'Zu viele Anfragen. Versuchen Sie es in {count} Sekunden erneut.',
  'request.too_deep': 'Das JSON ist tiefer als {max} Ebenen verschachtelt.',
  'request.too_large': 'Die Anfrage ist größer als 256 KiB.',
  'request.unauthenticated': 'Sie sind nicht angemeldet.',
  'request.unfit_value': 'Der Wert passt nicht: {problem}',
  'request.unsupported_type': 'Der Inhaltstyp „{type}“ der Anfrage wird nicht unterstützt.',
  'review.approved': 'Diese Version wartet nicht mehr auf eine Prüfung: Sie wurde freigegeben.',
  'review.approved_by': 'Diese Version wartet nicht mehr auf eine Prüfung: {name} hat sie freigegeben.',
  'review.approved_since': '{name} hat Version {version} freigegeben, nachdem Sie ihren Verlauf gelesen haben.',
  'review.claimed': 'Diese Version prüft bereits {name}.',
  'review.line_comment_sent': 'Dieser Kommentar wurde schon gesendet.',
  'review.line_comments_too_long':
    'Der Text und die Kommentare zu Zeilen haben zusammen mehr als {count} Zeichen. Kürzen Sie sie.',
  'review.no_such_file': 'Das Paket enthält keine Textdatei {path}.',
  'review.no_such_line#one': 'Die Datei {path} hat {count} Zeile.',
  'review.no_such_line#other': 'Die Datei {path} hat {count} Zeilen.',
  'review.no_versions': 'Wählen Sie mindestens eine Version.',
  'review.not_latest_version': 'Einträge sind nur zur neuesten Version eines Add-ons möglich.',
  'review.not_waiting': 'Diese Version wartet nicht auf eine Prüfung.',
  'review.note_since':
    '{name} hat etwas zu Version {version} geschrieben, nachdem Sie ihren Verlauf gelesen haben. Lesen Sie es und senden Sie Ihres dann noch einmal.',
  'review.package_missing': 'Das Paket dieser Version fehlt: Sie wurde ohne Paket importiert.',
  'review.referred': 'Das Add-on wurde an die Administration weitergegeben.',
  'review.rejected': 'Diese Version wartet nicht mehr auf eine Prüfung: Sie wurde abgelehnt.',
  'review.rejected_by': 'Diese Version wartet nicht mehr auf eine Prüfung: {name} hat sie abgelehnt.',
  'review.rejected_since': '{name} hat Version {version} abgelehnt, nachdem Sie ihren Verlauf gelesen haben.',
  'review.several_addons': 'Die Versionen gehören zu mehreren Add-ons. Senden Sie die eines einzigen.',
  'review.too_many_line_comments':
    'Höchstens {count} Kommentare zu Zeilen einer Version. Senden oder löschen Sie zuerst einige.',
  'review.version_not_found': 'Es wurde nichts ausgeführt, weil es keine Version {id} in Prüfung gibt.',
  'review.version_not_permitted': 'Es wurde nichts ausgeführt, weil Sie das bei Version {id} nicht dürfen.',
  'review.version_refused': 'Es wurde nichts ausgeführt, weil Version {version} abgewiesen wurde.',
  'search.app_without_version': 'Programm und Programmversion passen nicht zusammen.',
  'search.query_too_long': 'Die Suchanfrage ist zu lang.',
  'search.random_combined': 'Die zufällige Sortierung lässt sich nicht mit anderen kombinieren.',
  'search.random_not_featured': 'Die zufällige Sortierung gibt es nur für empfohlene Add-ons ohne Suchwörter.',
  'service.not_read_only': 'Der Nur-Lese-Modus ist nicht eingeschaltet, daher wird keine Änderung abgelehnt.',
  'service.read_only': 'Der Dienst ist im Wartungsmodus und nimmt keine Änderungen an. Versuchen Sie es später erneut.',
  'service.unavailable': 'Der Dienst ist vorübergehend nicht verfügbar.',
  'session.ended': 'Ihre Sitzung ist beendet.',
  'sign_in.acr_required':
    'Ihr Konto darf Add-ons entwickeln oder prüfen oder den Dienst verwalten. Es braucht eine stärkere Anmeldung, zum Beispiel mit einem zweiten Faktor. Melden Sie sich erneut an und bestätigen Sie ihn beim Identitätsanbieter.',
  'sign_in.identity_not_linked':
    'Ein Konto hat diese E-Mail-Adresse, aber nicht diese Anmeldemöglichkeit. Melden Sie sich an wie bisher und fügen Sie diese dann auf der Seite Ihres Kontos hinzu.',
  'sign_in.identity_taken': 'Diese Anmeldemöglichkeit gehört zu einem anderen Konto.',
  'sign_in.no_code': 'Der Identitätsanbieter hat die Anmeldung nicht bestätigt.',
  'sign_in.no_profile': 'Der Identitätsanbieter hat keine verwendbare E-Mail-Adresse bestätigt.',
  'sign_in.not_recent':
    'Ihre letzte Anmeldung liegt zu lange zurück. Melden Sie sich erneut an: Dies erfordert eine Anmeldung der letzten 15 Minuten. API-Schlüssel genügen nicht.',
  'sign_in.provider_unavailable': 'Der Identitätsanbieter ist nicht erreichbar.',
  'sign_in.state_mismatch':
    'Diese Anmeldung wurde in einem anderen Browser begonnen, ist abgelaufen oder wurde schon verwendet.',
  'sign_in.too_long_ago': 'Ihre letzte Anmeldung liegt zu lange zurück.',
  'signing.addon_deleted': 'Das Add-on ist gelöscht.',
  'signing.addon_disabled': 'Der Betreiber hat das Add-on deaktiviert.',
  'signing.uploader_disabled': 'Das Konto, das es hochgeladen hat, ist deaktiviert.',
  'source.damaged':
    'Das Archiv ist ungültig oder beschädigt. Sein Inhalt ist beschädigt: Aufbau oder Prüfsumme stimmen nicht. Packen Sie die Dateien erneut.',
  'source.damaged_entry':
    'Das Archiv ist ungültig oder beschädigt. Der Inhalt von {name} ist beschädigt: Größe, Prüfsumme oder Kopf stimmen nicht.',
  'source.empty_file': 'Das Archiv ist ungültig oder beschädigt. Die Datei ist leer.',
  'source.encrypted':
    'Das Archiv ist ungültig oder beschädigt. {name} ist verschlüsselt. Packen Sie die Dateien ohne Passwort.',
  'source.entry_too_large':
    'Das Archiv ist ungültig oder beschädigt. {name} ist größer als {max} Bytes. Lassen Sie diese Datei weg.',
  'source.extended_header':
    'Das Archiv ist ungültig oder beschädigt. Ein erweiterter Kopf des tar-Archivs ist größer als {max} Bytes.',
  'source.file_type': 'Wählen Sie ein Archiv: .zip, .tar.gz, .tgz oder .tar.bz2.',
  'source.foreign_format':
    'Das Archiv ist ungültig oder beschädigt. Der Inhalt der Datei ist {found}, was nicht angenommen wird. Packen Sie die Dateien als {format}.',
  'source.link':
    'Das Archiv ist ungültig oder beschädigt. Der Link {name} hat das Ziel „{target}“, das nicht im Archiv liegt.',
  'source.method':
    'Das Archiv ist ungültig oder beschädigt. {name} ist mit der Methode {method} komprimiert. Verwenden Sie Deflate (8) oder keine (0).',
  'source.name_above':
    'Das Archiv ist ungültig oder beschädigt. Der Name {name} hat den Teil .., der aus einem Ordner hinausführt.',
  'source.name_absolute':
    'Das Archiv ist ungültig oder beschädigt. Der Name {name} beginnt mit einem Schrägstrich oder Laufwerksbuchstaben. Packen Sie die Dateien mit relativen Namen.',
  'source.name_control':
    'Das Archiv ist ungültig oder beschädigt. Der Name {name} hat ein Steuerzeichen oder einen Zeilenumbruch.',
  'source.name_empty': 'Das Archiv ist ungültig oder beschädigt. Eine seiner Dateien hat keinen Namen.',
  'source.name_too_long': 'Das Archiv ist ungültig oder beschädigt. Der Name {name} ist länger als {max} Bytes.',
  'source.no_archive':
    'Das Archiv ist ungültig oder beschädigt. Der Inhalt der Datei ist kein Archiv vom Typ {format}.',
  'source.no_files': 'Das Archiv ist ungültig oder beschädigt. Es enthält keine Dateien.',
  'source.no_tar': 'Das Archiv ist ungültig oder beschädigt. Die komprimierte Datei enthält kein tar-Archiv.',
  'source.other_format':
    'Das Archiv ist ungültig oder beschädigt. Nach dem Namen ist die Datei {format}, ihr Inhalt ist aber {found}. Geben Sie ihr den richtigen Namen, oder packen Sie die Dateien als {format}.',
  'source.over_limit': 'Der Quellcode darf höchstens {max} MB groß sein.',
  'source.reader_failed':
    'Das Archiv ist ungültig oder beschädigt. Es konnte nicht gelesen werden: Es braucht zu viel Speicher. Packen Sie die Dateien erneut, als .zip oder .tar.gz.',
  'source.sparse_file':
    'Das Archiv ist ungültig oder beschädigt. Es enthält eine Datei mit ausgelassenen Bereichen (sparse). Packen Sie die Dateien ohne diese Option.',
  'source.special_file':
    'Das Archiv ist ungültig oder beschädigt. {name} ist ein Gerät, eine Pipe oder eine andere besondere Datei. Packen Sie nur Dateien, Ordner und Links.',
  'source.too_large': 'Das Archiv ist ungültig oder beschädigt. Es hat {size} Bytes; höchstens {max} sind möglich.',
  'source.too_large_unpacked':
    'Das Archiv ist ungültig oder beschädigt. Entpackt ist es größer als {max} Bytes, die Grenze für ein Archiv dieser Größe.',
  'source.too_many': 'Das Archiv ist ungültig oder beschädigt. Es enthält mehr als {max} Dateien und Ordner.',
  'source.too_slow':
    'Das Archiv zu lesen braucht mehr als {seconds} Sekunden Rechenzeit. Senden Sie den Quellcode als .zip oder .tar.gz.',
  'source.truncated':
    'Das Archiv ist ungültig oder beschädigt. Die Datei endet vor dem Ende des Archivs. Laden Sie sie erneut hoch.',
  'source.unexpected_content':
    'Das Archiv ist ungültig oder beschädigt. {name} ist ein Ordner oder Link, hat aber einen Inhalt.',
  'source.version_reviewed': 'Diese Version wurde geprüft; ihr Quellcode lässt sich nicht mehr ändern.',
  'source.zip64':
    'Das Archiv ist ungültig oder beschädigt. Es benutzt zip64, was nicht unterstützt wird. Packen Sie die Dateien als .tar.gz.',
  'source.zip_directory':
    'Das Archiv ist ungültig oder beschädigt. Das Verzeichnis des ZIP-Archivs ist beschädigt. Packen Sie die Dateien erneut.',
  'source.zip_end':
    'Das Archiv ist ungültig oder beschädigt. Das Ende des ZIP-Archivs fehlt, oder andere Bytes folgen ihm. Laden Sie es erneut hoch.',
  'source.zip_prefix':
    'Das Archiv ist ungültig oder beschädigt. Vor der ersten Datei stehen andere Bytes. Packen Sie die Dateien erneut, nicht als selbstentpackendes Archiv.',
  'source.zip_split':
    'Das Archiv ist ungültig oder beschädigt. Das ZIP-Archiv ist auf mehrere Dateien verteilt. Packen Sie es als eine Datei.',
  'statistics.invalid_days': 'Möglich sind 30, 90 oder 365 Tage.',
  'statistics.invalid_line': 'Zeile {line}: {problem}',
  'statistics.invalid_row': 'Zeile {row}: {problem}',
  'statistics.more_problems': 'und {count} weitere',
  'statistics.too_many_days': 'mehr als {count} Tage auf einmal',
  'statistics.unknown_addon': '{guid}: Dieses Add-on gibt es nicht',
  'statistics.unusable': 'Diese Zahlen sind nicht brauchbar: {problems}',
  'tag.denied#one': 'Dieses Schlagwort ist nicht erlaubt: {tags}',
  'tag.denied#other': 'Diese Schlagwörter sind nicht erlaubt: {tags}',
  'tag.too_long': 'Ein Schlagwort hat höchstens {count} Zeichen.',
  'tag.too_many#one': 'Das ist {count} Schlagwort zu viel.',
  'tag.too_many#other': 'Das sind {count} Schlagwörter zu viel.',
  'tag.too_short': 'Ein Schlagwort hat mindestens {count} Zeichen.',
  'test_account.email_taken': 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  'test_account.identity_taken': 'Diese Identität gehört zu einem anderen Konto.',
  'test_account.unknown_group': '„{group}“ steht nicht zur Wahl.',
  'test_account.username_taken': 'Diesen Benutzernamen gibt es schon.',
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
  'token.no_listing': 'Dieser API-Schlüssel lädt nur Versionen hoch: Lassen Sie die Felder des Add-ons weg.',
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
  'token.only_uploads':
    'Dieser API-Schlüssel lädt nur Versionen eines Add-ons hoch. Für anderes wird er nicht angenommen.',
  'token.other_addon':
    'Dieser API-Schlüssel lädt nur Versionen eines anderen Add-ons hoch und ändert nur Versionen, die er hochgeladen hat.',
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
  'upload.addon_disabled': 'Der Betreiber hat das Add-on deaktiviert. Neue Versionen sind daher nicht möglich.',
  'upload.addon_not_found': 'Ein Add-on mit der ID „{guid}“ gibt es nicht.',
  'upload.expired': 'Dieser Upload ist abgelaufen ({time}). Laden Sie die Datei erneut hoch.',
  'upload.file_type': 'Wählen Sie eine Datei mit der Endung .xpi, .zip oder .crx. Diese heißt „{name}“.',
  'upload.guid_or_addon': 'Geben Sie das Add-on einmal an.',
  'upload.invalid':
    'Die Prüfung dieses Uploads hat Fehler gefunden. Beheben Sie sie, und laden Sie die Datei erneut hoch.',
  'upload.missing_metadata':
    'Dem Eintrag fehlen noch Angaben: {names}. Ergänzen Sie sie, bevor Sie eine gelistete Version einreichen.',
  'upload.none_of_version': 'Zu diesem Add-on und dieser Version gibt es keinen Upload.',
  'upload.not_checked': 'Die Prüfung dieses Uploads ist ausgefallen. Laden Sie die Datei erneut hoch.',
  'upload.not_uuid': 'Dieser Upload ist nicht gültig. Senden Sie die uuid eines Uploads als Text.',
  'upload.not_validated': 'Dieser Upload wird noch geprüft. Reichen Sie ihn nach dem Ende der Prüfung ein.',
  'upload.other_channel':
    'Das Paket wurde für den Kanal „{channel}“ hochgeladen. Laden Sie es für „{declared}“ noch einmal hoch.',
  'upload.submitted_elsewhere': 'Dieser Upload wurde schon eingereicht: als Version {version} von {guid}.',
  'upload.too_large': 'Die Datei ist größer als {size} MB.',
  'upload.too_many_places': 'Höchstens {max} Stellen.',
  'upload.two_packages': 'Wählen Sie eine Datei oder einen Upload, nicht beides.',
  'upload.unknown':
    'Dieser Upload ist nicht gültig oder abgelaufen. Laden Sie die Datei erneut hoch. Ihr Konto hat keinen Upload „{pk}“.',
  'upload.unknown_channel': 'Als Kanal ist „listed“ oder „unlisted“ möglich. Angegeben ist „{channel}“.',
  'upload.version_in_error':
    'Dieser Upload wurde als Version {version} eingereicht, die sich nicht signieren ließ. Laden Sie die Datei erneut hoch.',
  'upload.warnings_not_read': 'Bestätigen Sie, dass Sie die Warnungen der automatischen Prüfung gelesen haben.',
  'validation.broke_down': 'Die automatische Prüfung ist ausgefallen.',
  'validation.errors_found#one': 'Die Prüfung hat einen Fehler gefunden.',
  'validation.errors_found#other': 'Die Prüfung hat {count} Fehler gefunden.',
  'validation.failed_crash': 'Die Prüfung wurde unerwartet beendet.',
  'validation.failed_malformed': 'Die Prüfung hat kein brauchbares Ergebnis geliefert.',
  'validation.failed_memory': 'Die Prüfung hat zu viel Speicher gebraucht.',
  'validation.failed_refused': 'Die Prüfung konnte das Paket nicht lesen.',
  'validation.failed_timeout': 'Die Prüfung hat zu lange gedauert.',
  'validation.failed_unavailable': 'Die Prüfung konnte nicht gestartet werden.',
  'validation.legacy': 'Dies ist ein Paket im alten Format.',
  'validation.legacy_explained': 'Bei Paketen im alten Format wird nur der Aufbau geprüft, nicht der Code.',
  'validation.not_loaded': 'Das Paket konnte nicht geprüft werden.',
  'validation.secret_found': 'Das Paket enthält Ihr API-Secret.',
  'validation.secret_found_explained':
    'Alle, die das Add-on herunterladen, könnten damit in Ihrem Namen handeln. Entfernen Sie das Secret und widerrufen Sie den API-Schlüssel.',
  'validation.unresolved_text': '„{key}“ verweist auf einen Text, den es nicht gibt: {reference}',
  'validation.unresolved_text_explained':
    'Keine messages.json unter _locales der Standardsprache hat diesen Schlüssel, darum zeigen Browser den Verweis selbst. Ein Name oder eine Zusammenfassung, die sich nicht auflösen lässt, fehlt im Eintrag.',
  'version.filter_not_here':
    '„filter“ ist hier nicht möglich. Lassen Sie es weg: Diese Adresse hat eine einzige Version.',
  'version.unknown_filter': 'Der Wert „{value}“ von „filter“ ist ungültig. Möglich sind: {words}.',
  'webhook.connection_failed': 'Die Verbindung zum Empfänger ist fehlgeschlagen ({code}).',
  'webhook.invalid_url':
    'Geben Sie eine https-Adresse ohne Benutzernamen, Passwort und Fragment ein, mit höchstens {count} Zeichen.',
  'webhook.no_events': 'Wählen Sie mindestens ein Ereignis.',
  'webhook.no_public_address': 'Der Host hat keine Adresse, an die Anfragen gehen dürfen.',
  'webhook.no_response': 'Der Empfänger hat innerhalb von {seconds} s keine vollständige Antwort gesendet.',
  'webhook.not_public':
    'An diese Adresse dürfen keine Anfragen gehen: Sie muss https und einen öffentlichen Host haben.',
  'webhook.not_tried': 'Es war nicht rechtzeitig ein Versuch möglich.',
  'webhook.refused': 'Die Antwort hat den Status {status}.',
  'webhook.response_too_long': 'Die Antwort ist länger als {count} Bytes.',
  'webhook.secret_sealed': 'Das Geheimnis kann nicht mehr gelesen werden. Ersetzen Sie es.',
  'webhook.tls_failed': 'Der Empfänger hat kein gültiges Zertifikat oder verwendet kein TLS ({code}).',
  'webhook.too_many': 'Es darf höchstens {count} Webhooks geben. Entfernen Sie zuerst einen.',
  'webhook.unknown': 'Es gibt keinen Webhook {id}.',
  'webhook.unknown_delivery': 'Es gibt keine Zustellung {id}.',
  'webhook.unknown_host': 'Der Name des Hosts wurde nicht gefunden ({code}).',
};
