import compression from 'compression';

/** Compresses texts of at least this size, in bytes. */
const THRESHOLD = 1_000;

/** Middleware that compresses pages and their files with Brotli or gzip. The API leaves compression to the proxy. */
export const compress = () => compression({ threshold: THRESHOLD });
