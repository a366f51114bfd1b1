/** Whether all words of `wanted` stand in a text, in any order and in capitals or not. */
export function holdsWords(text: string, wanted: string): boolean {
  const small = text.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => small.includes(word))
}
