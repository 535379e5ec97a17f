/** Types of the functions that `languages.ts` calls; the package ships none. */
declare module 'snowball-stemmers' {
  interface Stemmer {
    stem(word: string): string;
  }

  const snowball: { newStemmer(algorithm: string): Stemmer };
  export default snowball;
}
