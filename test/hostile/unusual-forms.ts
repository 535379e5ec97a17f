import { Buffer } from 'node:buffer';
import { BOUNDARY, CRLF, disposition, fieldPart, filePart, form, part } from './form-parts.ts';

export type UnusualForm = [name: string, body: Buffer, more?: { contentType?: string; chunkBytes?: number }];

/** Valid forms that few clients send. */
export function unusualForms(file: Buffer): UnusualForm[] {
  const field = fieldPart('channel', 'unlisted');
  const named = (fileName: string) => form(filePart(file, 'upload', fileName));
  return [
    ['the field before the file', form(field, filePart(file))],
    ['the field after the file', form(filePart(file), field)],
    ['in pieces of 7 bytes, without a length', form(field, filePart(file)), { chunkBytes: 7 }],
    [
      'text before and after the form',
      Buffer.concat([Buffer.from(`This is a form.${CRLF}`), form(filePart(file)), Buffer.from('The end.')]),
    ],
    [
      'the boundary in quotes',
      form(filePart(file)),
      { contentType: `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"` },
    ],
    [
      'ten unknown fields',
      form(...Array.from({ length: 10 }, (_, index) => fieldPart(`f${index}`, 'x')), filePart(file)),
    ],
    ['a field called __proto__', form(fieldPart('__proto__', 'x'), filePart(file))],
    ['a field name of 200 letters', form(fieldPart('n'.repeat(200), 'x'), filePart(file))],
    ['no Content-Type of the file', form(part([disposition('upload', 'addon.xpi')], file))],
    ['a file name with folders above', named('../../../etc/passwd.xpi')],
    [
      'a file name with control characters, escaped',
      form(part(['Content-Disposition: form-data; name="upload"; filename*=UTF-8\'\'a%00%1b%5b31m.xpi'], file)),
    ],
    ['a file name of 5,000 letters', named(`${'n'.repeat(5000)}.xpi`)],
    ['a file name in UTF-8', named('アドオン.xpi')],
    [
      'a file name in RFC 5987 form',
      form(part(['Content-Disposition: form-data; name="upload"; filename*=UTF-8\'\'%61%2Expi'], file)),
    ],
  ];
}
