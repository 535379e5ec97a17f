/** Draws items by Zipf's law: the nth is drawn as often as the first, divided by n. */
export function drawByRank<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= items.length; rank++) {
    sum += 1 / rank;
    sums.push(sum);
  }
  return Array.from({ length: count }, () => {
    const wanted = random() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return items[low] as Item;
  });
}
