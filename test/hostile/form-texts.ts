/* The expected texts of refused upload forms. */
import { BOUNDARY } from './form-parts.ts';

export const malformed = (what: string): string => `Malformed multipart form data: ${what}`;
export const UNENDED = malformed(`its end is missing, which is --${BOUNDARY}--. Send the request again.`);
export const OTHER_BOUNDARY = malformed(
  `the body does not begin with --${BOUNDARY}, the boundary of the Content-Type header. Let your HTTP library write both.`,
);
export const TWO_FILES = malformed('it has more than one file. Send one file in a request.');
export const TOO_MANY_FIELDS = malformed('it has more than 10 fields.');
export const LONG_HEADERS = malformed('the headers of a part are longer than 16384 bytes.');
export const NO_UPLOAD = 'Missing "upload" key in multipart file data.';
export const EMPTY_FILE = 'Could not parse the manifest file. The file is empty.';
export const DAMAGED_ZIP =
  'Could not parse the manifest file. The directory of the ZIP archive is damaged. Pack the files again.';
export const NO_ZIP =
  'Could not parse the manifest file. The file is no ZIP archive, or its end is missing. Pack the files of the add-on as ZIP.';

export const malformedHeader = (line: string): string =>
  malformed(`a part has a malformed header. It is "${line}"; a header has a name, a colon and no control characters.`);
export const inOtherPart = (other: string): string =>
  `${NO_UPLOAD} The file is in the part "${other}"; name this part "upload".`;
export const otherType = (type: string): string =>
  `${NO_UPLOAD} The content type of the request is "${type}"; send multipart/form-data.`;
