/* Starts Swagger UI on the element `api-try`, with the document that its attribute names. */

/**
 * @typedef {{ url: string, dom_id: string, deepLinking: boolean, validatorUrl: null }} Options
 */

const element = document.getElementById('api-try');
const bundle = document.createElement('script');
bundle.src = new URL('swagger-ui-bundle.js', import.meta.url).href;
bundle.addEventListener('load', () => {
  /** @type {{ SwaggerUIBundle?: (options: Options) => void }} */
  const { SwaggerUIBundle } = /** @type {object} */ (globalThis);
  const url = element?.dataset['document'] ?? '';
  // Without a validator: it would be on another host.
  SwaggerUIBundle?.({ url, dom_id: '#api-try', deepLinking: true, validatorUrl: null });
});
document.head.append(bundle);
