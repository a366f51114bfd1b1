import type { Features } from '../issues/index.ts'

/** Everything that two issues can have in common, as texts that do not run into each other. */
export const tokensOf = ({ functions, type, words }: Features): readonly string[] => [
  ...functions.map((name) => `f ${name}`),
  ...pairsOf(functions).map((pair) => `p ${pair}`),
  ...(type === '' ? [] : [`t ${type}`]),
  ...shinglesOf(words).map((shingle) => `m ${shingle}`),
]

export const pairsOf = (functions: readonly string[]): readonly string[] =>
  functions.slice(1).map((name, index) => `${functions[index]} ${name}`)

/** Three words in a row; of fewer, all there are. */
export const shinglesOf = (words: readonly string[]): readonly string[] => {
  if (words.length === 0) return []
  if (words.length < 3) return [words.join(' ')]
  return [...new Set(words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`))]
}
