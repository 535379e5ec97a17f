/*
 * The English messages by code, sorted by code. REST returns these texts: those that the contract documents stay as they are. Plural
 * forms are entries of their own: `code#one`, `code#other`. `docs/contributing.md` says how to add a message.
 */
export const MESSAGES_EN = {
  'abuse.message_too_long': 'Please ensure this field has no more than {count} characters.',
  'abuse.reporter_unreachable': 'The reporter is anonymous or gets no mails.',
  'account.automatic': 'The service itself uses this account.',
  'account.biography_links': 'No links are allowed.',
  'account.disables_itself': 'You cannot disable your own account.',
  'account.display_name_denied': 'This display name cannot be used.',
  'account.display_name_invisible': 'A display name needs a visible character.',
  'account.email_taken': 'Someone with this email already exists in the system.',
  'account.invalid_username': 'Enter a valid username consisting of letters, numbers, underscores or hyphens.',
  'account.is_author':
    'Developers of add-ons or themes cannot delete their account. You must delete all add-ons and themes linked to this account, or transfer them to other users.',
  'account.last_administrator':
    'This is the last account with the permission *:*. Give the permission to another account first.',
  'account.unknown_username': 'There is no user named "{name}".',
  'account.username_denied': 'This username cannot be used.',
  'account.username_digits': 'Usernames cannot contain only digits.',
  'account.username_registered': 'Someone with this username already exists in the system.',
  'account.username_taken': 'This username is already in use.',
  'addon.not_deleted': 'This add-on is not deleted.',
  'addon.not_owner': 'You do not own this addon.',
  'addon.unknown': 'There is no add-on "{name}".',
  'address.too_many': 'You have {count} update addresses of this add-on. End one of them first.',
  'address.too_many_unused':
    'You have {count} update addresses of add-ons that were not uploaded. End one of them first.',
  'application.invalid_version': '"{version}" is not a version of an application.',
  'author.already_invited': 'There is an invitation for this account. Send it again, or withdraw it first.',
  'author.listed_by_others': 'Only authors themselves decide that the add-on page shows them.',
  'author.no_owner': 'Must have at least one owner.',
  'author.none_listed': 'At least one author must be listed.',
  'author.not_author': 'This account is not an author of the add-on.',
  'author.order_incomplete': 'Name every author of the add-on, each once.',
  'author.too_many': 'An add-on has at most {count} authors.',
  'author.too_many_invited#one': 'An add-on has at most {count} author, including those with an invitation.',
  'author.too_many_invited#other': 'An add-on has at most {count} authors, including those with an invitation.',
  'author.twice': 'An author can only be present once.',
  'author.unknown_account': 'There is no such account.',
  'canned_response.name_taken': 'Another one has this name.',
  'category.addon_featured': 'Categories cannot be changed while your add-on is featured for this application.',
  'category.invalid_slug': 'A slug has small letters, digits and single hyphens, at most 64 of them.',
  'category.miscellaneous': 'The miscellaneous category cannot be combined with additional categories.',
  'category.no_name': 'A category needs a name.',
  'category.not_of_type': 'A category does not exist, or is of another add-on type.',
  'category.too_many': 'You can have only {count} categories.',
  'category.two_choices': 'Send categories or namedCategories, not both.',
  'category.unknown': 'There is no such category.',
  'category.unknown_slug': 'There is no category "{category}" of {app}.',
  'category.used': 'This category is used.',
  'category.weight_too_large': 'This weight is too large.',
  'compatibility.application_twice': 'An application can only be present once.',
  'compatibility.invalid_range': 'Invalid value',
  'compatibility.no_applications': 'Need at least one compatible application.',
  'compatibility.not_for_type': 'This type of add-on does not allow custom compatibility.',
  'compatibility.set_by_manifest':
    'Can not override compatibility information set in the manifest for this application ({app})',
  'compatibility.static_theme': 'The applications of a static theme cannot be changed.',
  'compatibility.unknown_app': 'Invalid app specified',
  'compatibility.unknown_max': 'Unknown max app version specified',
  'compatibility.unknown_min': 'Unknown min app version specified',
  'demo.unknown_account': 'There is no such account in the demo.',
  'featured.invalid_category':
    'Invalid app, category and/or type parameter(s). There is no category "{value}" of this app and type.',
  'featured.invalid_size': 'first is {value}; use a number from 1 to {count}.',
  'featured.no_app':
    'Invalid app, category and/or type parameter(s). The parameter "app" is missing; use one of: {words}.',
  'featured.unknown_app': 'Invalid app, category and/or type parameter(s). "app" is "{value}"; use one of: {words}.',
  'featured.unknown_type':
    'Invalid app, category and/or type parameter(s). "type" has "{value}"; use, separated by commas: {words}.',
  'field.blank': 'This field may not be blank.',
  'field.control_characters': 'Control characters are not allowed.',
  'field.negative': 'Ensure this value is 0 or more.',
  'field.not_boolean': 'Must be a valid boolean.',
  'field.not_email': 'Enter a valid email address.',
  'field.not_file':
    'The submitted data was not a file. Send it as a part of multipart/form-data with a file name, or null.',
  'field.not_list': 'Expected a list of items.',
  'field.not_text': 'Not a valid string.',
  'field.not_texts': 'You must provide an object of {form}.',
  'field.not_url': 'Enter a valid URL.',
  'field.not_whole_number': 'Enter a whole number.',
  'field.nul_characters': 'Null characters are not allowed.',
  'field.null': 'This field may not be null.',
  'field.required': 'This field is required.',
  'field.text_changed': 'This text was changed since you read it.',
  'field.text_too_long': 'Please use no more than {count} characters.',
  'field.too_long': 'Ensure this field has no more than {count} characters.',
  'field.too_many_entries': 'Please use no more than {count} entries.',
  'field.unknown_language': "The language code '{code}' is invalid.",
  'field.unstorable_text': 'This text cannot be stored.',
  'field.value_changed': 'This value was changed since you read it.',
  'file.not_read': 'The file could not be read ({code}).',
  'file.not_stored': 'The file could not be stored ({code}).',
  'file.range_past_end': 'The requested range starts after the end of the file. The file has {size} bytes.',
  'file.unusable': 'This file is lost or damaged on the server. Contact the operator.',
  'filter.too_many_ids': 'At most {count} ids.',
  'form.choose_file': 'Choose a file.',
  'form.disconnected': 'Malformed multipart form data: the client disconnected before the end.',
  'form.empty_body': 'Malformed multipart form data: the body of the request is empty. Send the parts of the form.',
  'form.field_too_long': 'Malformed multipart form data: the field "{name}" is longer than {max} bytes.',
  'form.field_twice': 'Malformed multipart form data: the field "{name}" is repeated. Send it once.',
  'form.file_in_other_part':
    'Missing "{name}" key in multipart file data. The file is in the part "{other}"; name this part "{name}".',
  'form.file_too_large': 'The file is larger than {size}.',
  'form.file_used_twice': 'Malformed multipart request: two values use the same file. Send one request for each.',
  'form.file_without_name':
    'Missing "{name}" key in multipart file data. The part "{name}" has no file name: send it as a file, with filename="…" in its Content-Disposition.',
  'form.incomplete': 'The form lacks parts.',
  'form.invalid_fields': 'Some fields are invalid.',
  'form.invalid_map_entry':
    'Malformed multipart request: the entry "{key}" of "map" is not a list of paths such as variables.input.file.',
  'form.line_feeds': 'Malformed multipart form data: its lines end with LF. They must end with CR LF.',
  'form.malformed': 'Malformed multipart form data: {problem}.',
  'form.malformed_part_header':
    'Malformed multipart form data: a part has a malformed header. It is "{line}"; a header has a name, a colon and no control characters.',
  'form.malformed_part_headers':
    'Malformed multipart form data: the headers of a part are malformed, or longer than {max} bytes.',
  'form.malformed_type':
    'Malformed multipart form data: the Content-Type header is malformed. It is "{type}"; let your HTTP library write it.',
  'form.no_boundary':
    'Malformed multipart form data: the Content-Type header has no boundary. Let your HTTP library write this header.',
  'form.no_channel': 'Missing "channel" arg.',
  'form.no_content_type':
    'Missing "{name}" key in multipart file data. The request has no Content-Type; send multipart/form-data.',
  'form.no_field': 'Missing "{name}" key in multipart form data.',
  'form.no_file': 'Missing "{name}" key in multipart file data.',
  'form.no_graphql_field': 'Malformed multipart request: the field "{name}" is missing.',
  'form.no_mapped_file': 'Malformed multipart request: the file is missing. Send it in the part that "map" names.',
  'form.not_an_option': 'Choose one of: {values}.',
  'form.not_json':
    'Malformed multipart request: the field "{name}" is not JSON. Send it as the GraphQL multipart request specification describes.',
  'form.not_multipart':
    'Missing "{name}" key in multipart file data. The content type of the request is "{type}"; send multipart/form-data.',
  'form.not_object': 'Malformed multipart request: the field "{name}" is not a JSON object.',
  'form.not_one_operation':
    'Malformed multipart request: the field "operations" is no single GraphQL operation. Send one object with "query" and "variables".',
  'form.other_addon_name': 'This is not the name of this add-on.',
  'form.other_boundary':
    'Malformed multipart form data: the body does not begin with {boundary}, the boundary of the Content-Type header. Let your HTTP library write both.',
  'form.other_site': 'The form was sent from another site.',
  'form.out_of_date': 'The form is out of date.',
  'form.part_headers_too_long': 'Malformed multipart form data: the headers of a part are longer than {max} bytes.',
  'form.part_without_headers':
    'Malformed multipart form data: a part has no headers. Each one needs Content-Disposition: form-data; name="…".',
  'form.part_without_name':
    'Missing "{name}" key in multipart file data. A file is in a part without a name; name it with Content-Disposition: form-data; name="{name}".',
  'form.too_large': 'The form is larger than {max} bytes.',
  'form.too_many_fields': 'Malformed multipart form data: it has more than {max} fields.',
  'form.too_many_files': 'Malformed multipart form data: it has more than one file. Send one file in a request.',
  'form.too_many_parts': 'Malformed multipart form data: it has more than {max} parts.',
  'form.truncated': 'Malformed multipart form data: its end is missing, which is {boundary}--. Send the request again.',
  'form.type_text': 'Type "{text}".',
  'form.unknown': 'The request names no form of this page.',
  'form.unknown_map_path':
    'Malformed multipart request: the path "{path}" of "map" leads to nothing in "operations". Use a path such as variables.input.file.',
  'form.wrong_order':
    'Malformed multipart request: the parts are in the wrong order. Send "operations", then "map", then the file.',
  'group.invalid_rule': '"{rule}" is not a rule of the form app:action.',
  'group.name_taken': 'There is a group with this name.',
  'group.not_a_rule': '"{rule}" is not a permission rule. It has the form app:action, either part of which may be *.',
  'group.reserved_name': '"{name}" cannot be the name of a group.',
  'group.too_many_rules': 'A group has at most {count} rules.',
  'group.unknown': 'There is no group named "{name}".',
  'guid.invalid': 'This is not a valid add-on id.',
  'guid.not_guid': '"{name}" is not an add-on id.',
  'guid.reserved': 'You cannot submit an add-on with a guid ending {suffixes}',
  'icon.animated': 'Icons cannot be animated. The file is an animated PNG: save one of its frames.',
  'icon.empty_file': 'Icons must be either PNG or JPG. The file is empty.',
  'icon.no_picture': 'Icons must be either PNG or JPG. The content of the file is no picture.',
  'icon.other_format': 'Icons must be either PNG or JPG. The content of the file is {format}.',
  'icon.side_too_long': 'Icons cannot have a side of more than 65535 pixels. This one has {width} by {height}.',
  'icon.too_many_pixels': 'Icons cannot have more than 16 million pixels. This one has {width} by {height}.',
  'id.other_type': 'Expected a global id of type "{type}", got "{value}".',
  'identity.invalid_subject': "The subject is the provider's name for the person: 1 to 255 printable ASCII characters.",
  'identity.last': 'This is the only way to sign in to the account. Add another one first.',
  'identity.taken': 'This identity belongs to another account.',
  'image.animated': 'Images cannot be animated. The file is an animated PNG: save one of its frames.',
  'image.empty_file': 'Images must be either PNG or JPG. The file is empty.',
  'image.no_picture': 'Images must be either PNG or JPG. The content of the file is no picture.',
  'image.other_format': 'Images must be either PNG or JPG. The content of the file is {format}.',
  'image.side_too_long': 'Images cannot have a side of more than 65535 pixels. This one has {width} by {height}.',
  'image.too_many_pixels': 'Images cannot have more than 16 million pixels. This one has {width} by {height}.',
  'key.agreement_not_accepted': 'API keys need the developer agreement to be accepted.',
  'key.expiry_passed': 'The expiry date has passed.',
  'key.invalid_label': 'A label has at most {count} characters, none of them a control character.',
  'key.too_many': 'An account has at most {count} API keys. Revoke one that is not used any more.',
  'key.unknown': 'There is no API key "{key}".',
  'language_tools.invalid_app_version': 'Invalid {name} parameter. It is "{value}", not a version such as 115.0.',
  'language_tools.no_app': 'Invalid or missing app parameter. It is missing; use one of: {words}.',
  'language_tools.no_type': 'Invalid or missing type parameter while {name} parameter is set.',
  'language_tools.unknown_app': 'Invalid or missing app parameter. It is "{value}"; use one of: {words}.',
  'language_tools.unknown_type':
    'Invalid or missing type parameter while appversion parameter is set. It is "{value}"; use one of: {words}.',
  'license.invalid_identifier': 'An identifier has letters, digits, and single dots and hyphens, at most 64 of them.',
  'license.no_name': 'A licence needs a name.',
  'license.no_text': 'License text is required when choosing Other.',
  'license.required_when_listed': 'This field, or custom_license, is required for listed versions.',
  'license.text_in_use': 'Versions were offered under this text. Make another licence instead.',
  'license.two_choices': 'Send only one of license, builtinLicense and customLicense.',
  'license.two_keys': 'Send license or custom_license, not both.',
  'license.unknown': 'There is no such licence.',
  'license.unknown_slug': 'License with slug={slug} does not exist.',
  'license.used': 'This licence is used.',
  'listing.invalid_slug': "Enter a valid 'slug' consisting of letters, numbers, underscores or hyphens.",
  'listing.locale_incomplete':
    'Before changing your default locale you must have a name, summary, and description in that locale. You are missing {fields}.',
  'listing.name_control_characters':
    'Ensure this field contains no control characters and none that turn the text direction.',
  'listing.name_unreadable': 'Ensure this field contains at least one letter or number character.',
  'listing.not_language_tool': 'Only dictionaries and language packs have this.',
  'listing.required_when_listed': 'This field is required for add-ons with listed versions.',
  'listing.slug_denied': 'The slug cannot be "{slug}". Please choose another.',
  'listing.slug_taken': 'This slug is already in use. Please choose another.',
  'listing.text_too_long': 'Ensure this value has at most {count} characters (it has {length}).',
  'mail.invalid_address': '"{address}" is not an address.',
  'mail.no_message': 'Message not present in the POST data.',
  'mail.not_sent': 'The mail was not sent: {error}',
  'mail.sent': 'This mail was sent.',
  'mailing.incomplete': 'A mailing needs a subject and a text.',
  'mailing.too_long': 'A mailing has at most {count} characters.',
  'mailing.unknown_type': 'Mailings have the type {types}, not "{type}".',
  'manifest.app_range_reversed':
    'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version? The range of {app} begins with {min} and ends with {max}, which is before it.',
  'manifest.app_version_malformed':
    'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version? "{key}" is "{value}", which is not a version such as 115.0.',
  'manifest.app_version_not_text':
    'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version? "{key}" is {type}, not a string such as "115.0".',
  'manifest.app_version_too_low': 'Lowest supported "strict_min_version" is {version}. It is "{value}".',
  'manifest.app_version_unknown':
    'Cannot find min/max version. Maybe "strict_min_version" or "strict_max_version" contains an unsupported version? "{key}" is "{value}", a version that this site does not know.',
  'manifest.forbidden_key':
    'Could not parse the manifest file. {file}, line {line}, column {column}: the key "{key}" is not allowed.',
  'manifest.id_not_text': 'Could not parse the manifest file. "{key}" is {type}, not a string.',
  'manifest.id_required': 'GUID is required for desktop_browser 47 and below. "strict_min_version" is "{value}".',
  'manifest.invalid_id':
    'The add-on ID in your manifest.json is not valid. It is "{id}"; use a form such as name@example.org, or a UUID in braces.',
  'manifest.key_not_object': 'Could not parse the manifest file. "{key}" is {type}, not an object.',
  'manifest.no_version': 'Version does not match the manifest file. The manifest has no "version" with a text.',
  'manifest.not_object':
    'Could not parse the manifest file. manifest.json is not an object: its first character must be an opening brace.',
  'manifest.not_utf8': 'Could not parse the manifest file. {file} is not UTF-8. Save it in this encoding.',
  'manifest.rdf_root': 'Could not parse the manifest file. The root element of install.rdf is not RDF.',
  'manifest.rdf_subject':
    'Could not parse the manifest file. install.rdf has no description of urn:mozilla:install-manifest.',
  'manifest.repeated_key':
    'Could not parse the manifest file. {file}, line {line}, column {column}: the key "{key}" is there twice in one object.',
  'manifest.reserved_name': 'Add-on names cannot contain the {names} trademarks.',
  'manifest.search_name': 'Could not parse the manifest file. The OpenSearch description has no ShortName.',
  'manifest.search_page':
    'Could not parse the manifest file. The OpenSearch description has no Url of type text/html with an http or https address.',
  'manifest.search_root':
    'Could not parse the manifest file. The file is no OpenSearch description: its root element is "{name}".',
  'manifest.syntax': 'Could not parse the manifest file. {file}, line {line}, column {column}: {problem}',
  'manifest.too_deep':
    'Could not parse the manifest file. {file}, line {line}, column {column}: more than {max} levels are nested.',
  'manifest.too_large': 'Could not parse the manifest file. {file} is larger than 1 MB.',
  'manifest.too_many_permissions': 'Could not parse the manifest file. It has more than {max} permissions.',
  'manifest.xml_doctype':
    'Could not parse the manifest file. {file} has a document type (<!DOCTYPE>), which is not allowed.',
  'notification.mandatory_off': "Attempting to set [{name}] to False. Mandatory notifications can't be modified.",
  'notification.mandatory_on': "Attempting to set [{name}] to True. Mandatory notifications can't be modified.",
  'override.invalid_version': '"{version}" is not a version number.',
  'override.no_applications': 'A range names at least one application.',
  'package.crx_header':
    'Could not parse the manifest file. The CRX header of the file is damaged. Upload the ZIP archive without it.',
  'package.duplicate_guid': 'Duplicate add-on ID found.',
  'package.duplicate_own_guid':
    'Duplicate add-on ID found. You have this add-on: send its further versions to its own address, as {guid}.',
  'package.empty_archive': 'No install.rdf or manifest.json found. The archive has no files.',
  'package.empty_file': 'Could not parse the manifest file. The file is empty.',
  'package.entry_too_large': 'File exceeding size limit in archive: {name}',
  'package.file_type':
    'Unsupported file type, please upload a file that ends in .xpi, .zip, .crx or .xml. The name of this one is "{name}".',
  'package.id_of_other_addon':
    'The add-on ID in your manifest.json or install.rdf ({guid}) does not match the ID of your add-on on {site} ({expected})',
  'package.id_required': 'A GUID must be specified in the manifest.',
  'package.invalid_url_guid':
    'Invalid GUID in URL. It is "{guid}"; use a form such as name@example.org, or a UUID in braces.',
  'package.legacy_without_id': 'Could not find an add-on ID.',
  'package.legacy_without_url_id': 'Only WebExtensions can be uploaded without an add-on ID.',
  'package.lost': 'The store has lost the package.',
  'package.manifest_in_folder':
    'No install.rdf or manifest.json found in the root of the archive. {path} is in a folder: pack the files inside "{folder}", not the folder, so that manifest.json is in the root.',
  'package.manifest_other_case':
    'No install.rdf or manifest.json found. The archive has {name}: small and capital letters differ in names.',
  'package.name_absolute': 'Invalid file name in archive: {name} (it begins with /)',
  'package.name_backslash': 'Invalid file name in archive: {name} (it has a backslash; use / between folders)',
  'package.name_below_file': 'Invalid file name in archive: {name} ({other} is a file, so nothing can be below it)',
  'package.name_control': 'Invalid file name in archive: {name} (it has a control character or a line break)',
  'package.name_dots': 'Invalid file name in archive: {name} (it has the part . or ..)',
  'package.name_drive': 'Invalid file name in archive: {name} (it begins with a drive letter)',
  'package.name_empty_part': 'Invalid file name in archive: {name} (it has an empty part)',
  'package.name_encoding':
    'Invalid file name in archive. Please make sure all filenames are utf-8 or latin1 encoded. Read as latin1, one is {name}: pack the files with UTF-8 names.',
  'package.name_marks': 'Invalid file name in archive: {name} (it has more than 30 combining marks on one character)',
  'package.name_not_signable': 'Invalid file name in archive: {name} (a signature file cannot contain it)',
  'package.name_of_signature':
    'Invalid file name in archive: {name} (signing writes a file of this name; leave it out)',
  'package.name_space': 'Invalid file name in archive: {name} (it begins or ends with a space)',
  'package.name_too_long': 'Invalid file name in archive: {name} (it is longer than {max} bytes)',
  'package.name_twice':
    'Invalid file name in archive: {name} ({other} has the same name on systems that ignore case or compose characters)',
  'package.names_too_long_to_sign': 'Invalid archive. The names of its files are too many and too long to be signed.',
  'package.no_manifest': 'No install.rdf or manifest.json found in the root of the archive, which has: {names}',
  'package.not_zip':
    'Could not parse the manifest file. The file is no ZIP archive, or its end is missing. Pack the files of the add-on as ZIP.',
  'package.number_deleted': 'Version {version} was uploaded before and deleted.',
  'package.number_taken': 'Version {version} already exists.',
  'package.other_applications':
    'Cannot find min/max version. Your install.rdf targets other applications only: {ids}. Add a targetApplication of a supported one.',
  'package.other_id': 'GUID mismatch between the URL and manifest. The URL has "{expected}", the manifest "{guid}".',
  'package.other_type':
    'The type of your package ({type}) does not match the type of your add-on on {site} ({expected})',
  'package.reader_failed':
    'Invalid archive. Reading the package takes too much time or memory. It exceeded the memory limit or ended unexpectedly.',
  'package.reader_timeout':
    'Invalid archive. Reading the package takes too much time or memory. It was ended after {seconds} seconds.',
  'package.replaced': 'The stored package differs from the one that was uploaded.',
  'package.theme_too_large': 'Maximum size for WebExtension themes is 7.0 MB.',
  'package.trailing_bytes#one':
    'Could not parse the manifest file. {count} byte follows the end of the archive; write it to a file instead of to standard output.',
  'package.trailing_bytes#other':
    'Could not parse the manifest file. {count} bytes follow the end of the archive; write it to a file instead of to standard output.',
  'package.two_names':
    'Invalid file name in archive: {name} is also named {path}. Pack with UTF-8 names, for example with the environment variable LC_ALL=C.UTF-8.',
  'package.type_not_permitted': 'You cannot submit this type of add-on',
  'package.unusable_target':
    'Cannot find min/max version. The range {min} to {max} of {app} in your install.rdf has no known version.',
  'package.url_guid_too_long': "Please specify your Add-on GUID in the manifest if it's longer than 64 characters.",
  'package.vendor_signed': 'You cannot submit a {site} Signed Extension',
  'package.version_characters':
    'Version numbers should only contain letters, numbers, and these punctuation characters: +*.-_. This one is "{version}".',
  'package.version_exists': 'Version already exists. Latest version is: {version}.',
  'package.version_mismatch':
    'Version does not match the manifest file. The request names {declared}, the manifest {version}.',
  'package.version_too_long': 'Version numbers should have fewer than 32 characters. This one has {length}.',
  'package.zip_damaged_entry':
    'Invalid archive. The content of {name} is damaged: it has not the recorded size or checksum.',
  'package.zip_directory':
    'Could not parse the manifest file. The directory of the ZIP archive is damaged. Pack the files again.',
  'package.zip_encrypted': 'Could not parse the manifest file. {name} is encrypted. Pack the files without a password.',
  'package.zip_extra_field':
    'Could not parse the manifest file. {name} has the extra field {id}, which is not supported or is damaged.',
  'package.zip_feature':
    'Could not parse the manifest file. {name} uses a feature of ZIP that is not supported (flags {flags}).',
  'package.zip_gap': 'Invalid archive. Before {name}, there are bytes that belong to no file, or files overlap.',
  'package.zip_header_differs': 'Invalid archive. The header of {name} differs from the directory of the archive.',
  'package.zip_method':
    'Could not parse the manifest file. {name} is compressed with method {method}. Use deflate (8) or none (0).',
  'package.zip_not_plain':
    'Could not parse the manifest file. The archive has a comment, zip64 fields or a CRX header, which a package that keeps its signature cannot have.',
  'package.zip_prefix':
    'Could not parse the manifest file. There are other bytes before the ZIP archive. Pack the files again, not as a self-extracting archive.',
  'package.zip_ratio': 'Invalid archive. It is compressed more than {ratio} times, as archives are that fill disks.',
  'package.zip_sizes': 'Invalid archive. The recorded sizes of {name} are impossible.',
  'package.zip_special_file':
    'Invalid archive. {name} is a symbolic link or another special file. Pack regular files only.',
  'package.zip_split':
    'Could not parse the manifest file. The ZIP archive is split into several files. Pack it as one file.',
  'package.zip_too_large_unpacked': 'Invalid archive. Its unpacked files are larger than {size} MB together.',
  'package.zip_too_many': 'Invalid archive. It has {entries} files; at most {max} are allowed.',
  'package.zip_truncated': 'Invalid archive. The file ends before the archive does. Upload it again.',
  'page.cursor_of_other_list': 'The value of {name} is not a cursor of this list.',
  'page.invalid_number': 'Pages are numbered from 1.',
  'page.invalid_size': 'The value of {name} must be from 1 to {count}.',
  'page.not_number': 'Invalid page. It is "{value}"; pages are numbered from 1.',
  'page.past_end': 'Invalid page. It is {page}; the last page is {last}.',
  'page.two_directions': 'Pass first or last, not both.',
  'page.two_styles': 'Pass page and pageSize, or arguments of a cursor, not both.',
  'parameter.app_missing': 'Invalid "app" parameter. It is missing, but "{name}" is there: send both, or none.',
  'parameter.list_not_one_of': 'Invalid "{name}" parameter. It has "{value}"; use, separated by commas: {words}.',
  'parameter.not_one_of': 'Invalid "{name}" parameter. It is "{value}"; use one of: {words}.',
  'parameter.not_version': 'Invalid "{name}" parameter. It is "{value}", not a version such as 115.0.',
  'parameter.nul': 'Invalid "{name}" parameter. It has a NUL character; leave it out.',
  'parameter.too_many': 'Invalid "{name}" parameter. It has {found} entries; at most {max} are allowed.',
  'parameter.unknown_category':
    'Invalid "category" parameter. It is "{value}", which no category of this app and type has as slug or number.',
  'parameter.unknown_locale': 'Invalid "{name}" parameter. It is "{value}", not a language code such as en-US.',
  'persona.changed': 'It has changed since you looked at it.',
  'persona.invalid_color': 'Enter a color of the form #rrggbb. This one is "{value}".',
  'persona.not_persona': 'This add-on is not a persona.',
  'persona.not_waiting': 'This persona is not waiting for a review.',
  'picture.damaged':
    'Upload a valid image. The file you uploaded was either not an image or a corrupted image. It begins as {format}, but its content is damaged or cut off.',
  'picture.empty_file':
    'Upload a valid image. The file you uploaded was either not an image or a corrupted image. It is empty.',
  'picture.import_too_large': 'Please use images smaller than 32MB.',
  'picture.no_picture':
    'Upload a valid image. The file you uploaded was either not an image or a corrupted image. Its content is no picture: send PNG or JPG.',
  'picture.not_processed': 'The picture could not be processed. Try again later.',
  'picture.other_size':
    'Image must be exactly {width} pixels wide and {height} pixels tall. It has {foundWidth} by {foundHeight}.',
  'picture.persona_too_large': 'Images cannot be larger than 300KB.',
  'picture.too_large': 'Please use images smaller than 3MB. Above {max} bytes, they are refused.',
  'picture.too_many_previews': 'An add-on has at most {max} previews. Delete one first.',
  'picture.too_slow':
    'The picture could not be processed. Decoding it takes too long: try again later, or with a smaller picture.',
  'replacement.invalid_path': 'A path starts with / and an address with https:// or http:// and a host.',
  'replacement.no_path': 'A list needs a path.',
  'replacement.path_or_guids': 'Either a path or guids.',
  'request.failed': 'Internal Server Error',
  'request.incomplete': 'The request body is not valid JSON. It is incomplete: the connection ended before its end.',
  'request.invalid_argument': '{problem}',
  'request.method_not_allowed': 'Method "{method}" not allowed.',
  'request.no_match': 'The request body does not match its schema.',
  'request.not_found': 'Not found.',
  'request.not_json': 'The request body is not valid JSON. {problem}',
  'request.not_object': 'The request body is not a JSON object.',
  'request.not_permitted': 'You do not have permission to perform this action.',
  'request.prototype_key': 'The JSON has the key "__proto__".',
  'request.throttled#one': 'Request was throttled. Expected available in {count} second.',
  'request.throttled#other': 'Request was throttled. Expected available in {count} seconds.',
  'request.too_deep': 'The JSON is nested deeper than {max} levels.',
  'request.too_large': 'The request body is larger than 256 KiB.',
  'request.unauthenticated': 'Authentication credentials were not provided.',
  'request.unfit_value': '{problem}',
  'request.unsupported_type': 'Unsupported media type "{type}" in request.',
  'review.approved': 'This version is not waiting for a review: it was approved.',
  'review.approved_by': 'This version is not waiting for a review: it was approved by {name}.',
  'review.claimed': 'This version is claimed by {name}.',
  'review.not_latest_version': 'Only latest versions of addons can have notes added.',
  'review.not_waiting': 'This version is not waiting for a review.',
  'review.package_missing': 'The package of this version is missing: it was imported without it.',
  'review.referred': 'This add-on has been referred to an administrator.',
  'review.rejected': 'This version is not waiting for a review: it was rejected.',
  'review.rejected_by': 'This version is not waiting for a review: it was rejected by {name}.',
  'search.app_without_version': 'Invalid combination of "app" and "{name}" parameters.',
  'search.query_too_long': 'Maximum query length exceeded.',
  'search.random_combined': 'The "random" "sort" parameter can not be combined.',
  'search.random_not_featured':
    'The "sort" parameter "random" can only be specified when the "featured" parameter is also present, and the "q" parameter absent.',
  'service.read_only': 'The service is in read-only mode. Try again later.',
  'service.unavailable': 'The service is temporarily unavailable.',
  'session.ended': 'Your session has ended.',
  'sign_in.identity_not_linked':
    'An account has this e-mail address, but not this way to sign in. Sign in the way you did before, then add this one on the page of your account.',
  'sign_in.identity_taken': 'This way to sign in belongs to another account.',
  'sign_in.no_code': 'The identity provider returned no code.',
  'sign_in.no_profile': 'The identity provider did not confirm an identity with a usable e-mail address.',
  'sign_in.not_recent':
    'Your last sign-in was too long ago. Sign in again: this needs a page session or access token of a sign-in of the last 15 minutes. API keys do not suffice.',
  'sign_in.provider_unavailable': 'The identity provider is not available.',
  'sign_in.state_mismatch': 'This sign-in was started in another browser, has expired or was used before.',
  'sign_in.too_long_ago': 'Your last sign-in was too long ago.',
  'signing.addon_deleted': 'The add-on is deleted.',
  'signing.addon_disabled': 'The operator disabled the add-on.',
  'signing.uploader_disabled': 'The account that uploaded it is disabled.',
  'source.damaged':
    'Invalid or broken archive. Its content is damaged: the structure or a checksum is wrong. Pack the files again.',
  'source.damaged_entry':
    'Invalid or broken archive. The content of {name} is damaged: its size or checksum is not the recorded one, or its header is wrong.',
  'source.empty_file': 'Invalid or broken archive. The file is empty.',
  'source.encrypted': 'Invalid or broken archive. {name} is encrypted. Pack the files without a password.',
  'source.entry_too_large': 'Invalid or broken archive. {name} is larger than {max} bytes. Leave it out.',
  'source.extended_header':
    'Invalid or broken archive. An extended header of the tar archive is larger than {max} bytes.',
  'source.file_type': 'Unsupported file type, please upload an archive file (.zip, .tar.gz, .tgz, .tar.bz2).',
  'source.foreign_format':
    'Invalid or broken archive. The content of the file is {found}, which is not accepted. Pack the files as {format}.',
  'source.link': 'Invalid or broken archive. The link {name} has the target "{target}", which is not in the archive.',
  'source.method': 'Invalid or broken archive. {name} is compressed with method {method}. Use deflate (8) or none (0).',
  'source.name_above': 'Invalid or broken archive. The name {name} has the part .., which leads out of a folder.',
  'source.name_absolute':
    'Invalid or broken archive. The name {name} begins with a slash or a drive letter. Pack the files with relative names.',
  'source.name_control': 'Invalid or broken archive. The name {name} has a control character or a line break.',
  'source.name_empty': 'Invalid or broken archive. One of its files has no name.',
  'source.name_too_long': 'Invalid or broken archive. The name {name} is longer than {max} bytes.',
  'source.no_archive': 'Invalid or broken archive. The content of the file is no archive of type {format}.',
  'source.no_files': 'Invalid or broken archive. It has no files.',
  'source.no_tar': 'Invalid or broken archive. The compressed file contains no tar archive.',
  'source.other_format':
    'Invalid or broken archive. The name of the file says {format}, but its content is {found}. Give it the right name, or pack the files as {format}.',
  'source.over_limit': 'Please use source code of at most {max} MB.',
  'source.reader_failed':
    'Invalid or broken archive. Reading it failed: it needs too much memory. Pack the files again, as .zip or .tar.gz.',
  'source.sparse_file':
    'Invalid or broken archive. It has a sparse file. Pack the files without the option for sparse files.',
  'source.special_file':
    'Invalid or broken archive. {name} is a device, a pipe or another special file. Pack files, folders and links only.',
  'source.too_large': 'Invalid or broken archive. It has {size} bytes; at most {max} are allowed.',
  'source.too_large_unpacked':
    'Invalid or broken archive. Unpacked, it is larger than {max} bytes, the limit for an archive of this size.',
  'source.too_many': 'Invalid or broken archive. It has more than {max} files and folders.',
  'source.too_slow':
    'Invalid or broken archive. Reading it takes more than {seconds} seconds of processor time. Send the source code as .zip or .tar.gz.',
  'source.truncated': 'Invalid or broken archive. The file ends before the archive does. Upload it again.',
  'source.unexpected_content': 'Invalid or broken archive. {name} is a folder or link, but has content.',
  'source.version_reviewed': 'Source cannot be changed because this version has been reviewed.',
  'source.zip64': 'Invalid or broken archive. It uses zip64, which is not supported. Pack the files as .tar.gz.',
  'source.zip_directory':
    'Invalid or broken archive. The directory of the ZIP archive is damaged. Pack the files again.',
  'source.zip_end':
    'Invalid or broken archive. The end of the ZIP archive is missing, or other bytes follow it. Upload it again.',
  'source.zip_prefix':
    'Invalid or broken archive. There are other bytes before the first file. Pack the files again, not as a self-extracting archive.',
  'source.zip_split': 'Invalid or broken archive. The ZIP archive is split into several files. Pack it as one file.',
  'statistics.invalid_days': 'The value of days must be 30, 90 or 365.',
  'statistics.invalid_line': 'line {line}: {problem}',
  'statistics.invalid_row': 'rows[{row}]: {problem}',
  'statistics.more_problems': 'and {count} more',
  'statistics.too_many_days': 'more than {count} days at once',
  'statistics.unknown_addon': '{guid}: there is no such add-on',
  'statistics.unusable': '{problems}',
  'tag.denied#one': 'Invalid tag: {tags}',
  'tag.denied#other': 'Invalid tags: {tags}',
  'tag.too_long': 'All tags must be {count} characters or less after invalid characters are removed.',
  'tag.too_many#one': 'You have {count} too many tags.',
  'tag.too_many#other': 'You have {count} too many tags.',
  'tag.too_short': 'All tags must be at least {count} characters.',
  'test_account.email_taken': 'Someone with this email already exists in the system',
  'test_account.identity_taken': 'Someone with this idp_id already exists in the system',
  'test_account.unknown_group': '"{group}" is not a valid choice.',
  'test_account.username_taken': 'Someone with this username already exists in the system',
  'token.access_token_expired':
    'Signature has expired. The access token was valid until {time}; sign in again or create another one.',
  'token.account_disabled': 'User account is disabled.',
  'token.agreement_not_accepted': 'User has not read developer agreement.',
  'token.bad_checksum':
    'Error decoding signature. The checksum of the access token is wrong: a part of it is missing or was changed.',
  'token.bad_signature': 'Error decoding signature.',
  'token.bearer_under_jwt':
    'Error decoding signature. The scheme "JWT" takes tokens that an API key signs; send an access token with the scheme "Bearer".',
  'token.claim_missing': 'Invalid JWT: Token is missing the "{claim}" claim.',
  'token.claim_not_seconds':
    'Wrong type for one or more keys in payload: "{claim}" is {type}, not a number of seconds since 1970.',
  'token.claim_not_text': 'Wrong type for one or more keys in payload: "{claim}" is {type}, not a string.',
  'token.claim_out_of_range':
    'Wrong type for one or more keys in payload: "{claim}" is too large for a number of seconds since 1970.',
  'token.critical_header': 'Error decoding signature. The header of the token has "crit", which is not supported.',
  'token.exp_in_milliseconds':
    'JWT exp (expiration) is too long. exp seems to be in milliseconds; send seconds since 1970, now {now}.',
  'token.exp_not_after_iat': 'JWT exp (expiration) is not after iat. exp is {exp}, iat is {iat}.',
  'token.exp_too_long': 'JWT exp (expiration) is too long. exp is {lifetime} s after iat; at most {max} s are allowed.',
  'token.expired': 'Signature has expired. Server time is {time}, skew {skew} s.',
  'token.has_spaces': 'Invalid Authorization header. Credentials string should not contain spaces.',
  'token.iat_ahead':
    'JWT iat (issued at time) is invalid. Make sure your system clock is synchronized with something like TLSdate. Server time is {time}, skew {skew} s.',
  'token.iat_in_milliseconds':
    'JWT iat (issued at time) is invalid. iat seems to be in milliseconds; send seconds since 1970, now {now}.',
  'token.jwt_under_bearer':
    'Error decoding signature. The scheme "Bearer" takes access tokens; send the token of an API key with the scheme "JWT".',
  'token.key_as_token':
    'Error decoding signature. This is an API key, not a token: sign a JSON Web Token with its secret and send that.',
  'token.key_expired':
    'API key has expired. It was valid until {time}; create another one on the page of your API keys.',
  'token.no_credentials': 'Invalid Authorization header. No credentials provided.',
  'token.no_issuer': 'JWT iss (issuer) claim is missing.',
  'token.no_scheme':
    'Authentication credentials were not provided. The Authorization header has a token without a scheme; send "JWT" and a token of an API key, or "Bearer" and an access token.',
  'token.nonce_control': 'Invalid JWT: "jti" is not a nonce. It has a control character, such as a line end.',
  'token.nonce_length': 'Invalid JWT: "jti" is not a nonce. It has {length} characters; use 1 to {max}.',
  'token.nonce_not_text': 'Invalid JWT: "jti" is not a nonce. It is {type}, not a string or a number.',
  'token.not_access_token':
    'Error decoding signature. The text after "Bearer" is no access token: those begin with "{prefix}".',
  'token.not_three_parts':
    'Error decoding signature. A JSON Web Token has 3 parts with dots between them; this one has {parts}.',
  'token.not_yet_valid':
    'Invalid JWT Token. nbf is {nbf}, which is not yet reached. Server time is {time}, skew {skew} s.',
  'token.refreshable': "API key based tokens are not refreshable, don't include `orig_iat` in their payload.",
  'token.replayed': 'JWT jti has already been used.',
  'token.unknown_access_token': 'Incorrect authentication credentials.',
  'token.unknown_scheme':
    'Authentication credentials were not provided. The Authorization header has the scheme "{scheme}"; send "JWT" and a token of an API key, or "Bearer" and an access token.',
  'token.unreadable_claims':
    'Error decoding signature. The claims of the token, its second part, are not a JSON object in base64url.',
  'token.unreadable_header':
    'Error decoding signature. The header of the token, its first part, is not a JSON object in base64url.',
  'token.wrong_algorithm': 'Error decoding signature. The header of the token must have "alg": "HS256".',
  'upload.addon_disabled': 'You cannot add versions to an addon that has status: Disabled by operator.',
  'upload.addon_not_found': 'Could not find add-on with guid "{guid}".',
  'upload.expired':
    'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid). This one expired at {time}.',
  'upload.file_type':
    'Unsupported file type, please upload a file that ends in .xpi, .zip or .crx. The name of this one is "{name}".',
  'upload.guid_or_addon': 'Send guid or addon.',
  'upload.invalid':
    'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid). The validation of this one found errors: fix what its "validation" lists.',
  'upload.missing_metadata':
    'You cannot add a listed version to this addon via the API due to missing metadata. Please submit via the website. These are missing: {names}.',
  'upload.none_of_version': 'No uploaded file for that addon and version.',
  'upload.not_checked':
    'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid). The validation of this one broke down.',
  'upload.not_uuid':
    'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid). Send the uuid of an upload as a string.',
  'upload.not_validated':
    'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid). This one is still being validated: submit it when its "processed" is true.',
  'upload.other_channel':
    'The package was uploaded for the channel "{channel}". Upload it again for "{declared}", or submit it for its own channel.',
  'upload.submitted_elsewhere': 'This upload has already been submitted. It is version {version} of {guid}.',
  'upload.too_large': 'File exceeds the upload limit of {size} MB.',
  'upload.too_many_places': 'At most {max} places.',
  'upload.two_packages': 'Send file or upload, not both.',
  'upload.unknown':
    'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid). This account has no upload "{pk}".',
  'upload.unknown_channel': 'Invalid channel: it must be "listed" or "unlisted". It is "{channel}".',
  'upload.version_in_error':
    'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid). It was submitted as version {version}, which could not be signed.',
  'upload.warnings_not_read': 'Confirm that you have read the warnings of the validation.',
  'validation.broke_down': 'The validator broke down ({problem}). It was tried {attempts} times.',
  'validation.errors_found#one': 'Validation found {count} error.',
  'validation.errors_found#other': 'Validation found {count} errors.',
  'validation.failed_crash': 'The validation ended unexpectedly.',
  'validation.failed_malformed': 'The validation gave no usable result.',
  'validation.failed_memory': 'The validation needed too much memory.',
  'validation.failed_refused': 'The validation could not read the package.',
  'validation.failed_timeout': 'The validation took too long.',
  'validation.failed_unavailable': 'The validation could not be started.',
  'validation.legacy': 'This is a legacy package.',
  'validation.legacy_explained': 'Only the structure of legacy packages is checked. Their code was not validated.',
  'validation.not_loaded': "Sorry, we couldn't load your WebExtension.",
  'validation.secret_found': 'Your API secret was found in the package.',
  'validation.secret_found_explained':
    'Anyone who downloads the add-on could act in your name. Remove the secret and revoke the API key.',
  'validation.unresolved_text': '"{key}" refers to a message that does not exist: {reference}',
  'validation.unresolved_text_explained':
    'No messages.json in _locales of the default locale has this key, so browsers show the reference. A name or summary that cannot be resolved is left out of the listing.',
  'version.filter_not_here':
    'The "filter" parameter is not valid in this context. Leave it out: this address has one version.',
  'version.unknown_filter': 'Invalid "filter" parameter specified. It is "{value}"; use one of: {words}.',
} as const;

/** Texts for pages in English, in place of messages with advice for programs. */
export const PAGE_MESSAGES_EN: Readonly<Record<string, string>> = {
  'field.null': 'Fill in this field.',
  'form.not_an_option': 'Choose one of the options.',
  'upload.expired': 'This upload expired on {time}. Upload the file again.',
  'upload.invalid': 'The validation of this upload found errors. Fix them, then upload the file again.',
  'upload.missing_metadata': 'The listing lacks: {names}. Add them before you submit a listed version.',
  'upload.not_checked': 'The validation of this upload broke down. Upload the file again.',
  'upload.not_validated': 'This upload is still being validated. Submit it when the validation has ended.',
  'upload.unknown': 'This upload is not valid or has expired. Upload the file again.',
  'upload.version_in_error':
    'This upload was submitted as version {version}, which could not be signed. Upload the file again.',
};
