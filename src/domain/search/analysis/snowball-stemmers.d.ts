/** The part of the stemmers that `languages.ts` calls; the package ships no types. */
declare module 'snowball-stemmers' {
  interface Stemmer {
    stem(word: string): string;
  }

  const snowball: { newStemmer(algorithm: string): Stemmer };
  export default snowball;
}
