/** A file whose stream may fail before it is awaited: an unhandled rejection would end the process. */
export function ignoreUnhandledRejection<File extends Promise<unknown>>(file: File): File {
  file.catch(() => {});
  return file;
}
