import { GraphQLError } from 'graphql';
import { type Plugin, processRegularResult } from 'graphql-yoga';
import { jsonProblem } from '../http/small-body.ts';
import { englishText } from '../texts/messages.ts';
import { notAcceptable } from './media-types.ts';

const badRequest = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });

/**
 * Gives codes to requests that Yoga fails on or refuses without a body: malformed JSON in the parameters of a GET or a form,
 * and a subscription of a client that does not accept events. Refuses JSON that is nested too deeply or has the key `__proto__`.
 */
export const strictRequests: Plugin = {
  onRequestParse({ requestParser, setRequestParser }) {
    if (requestParser === undefined) return;
    setRequestParser(async (request) => {
      try {
        return await requestParser(request);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        throw badRequest('Send variables and extensions as JSON objects.');
      }
    });
  },
  onParams({ params: { variables, extensions } }) {
    const problem = jsonProblem(variables) ?? jsonProblem(extensions);
    if (problem !== null) throw badRequest(englishText(problem));
  },
  async onResultProcess({ result, resultProcessor, setResult, setResultProcessor }) {
    if (resultProcessor !== undefined) return;
    if (Symbol.asyncIterator in result) await result[Symbol.asyncIterator]().return?.();
    setResult({ errors: [notAcceptable()] });
    setResultProcessor(processRegularResult, 'application/json');
  },
};
