import { codeParts } from '../lib/sentences.ts'

/** A sentence whose `words in backticks` are shown as code. */
export function Coded({ text }: { readonly text: string }) {
  return codeParts(text).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
