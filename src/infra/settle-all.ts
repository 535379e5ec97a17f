/** Like `Promise.all`, but when some fail, it rejects with the first reason only after all have ended. */
export async function settleAll<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
