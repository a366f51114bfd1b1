import { escapeHtml } from '../lib/escape-html.ts'

/** HTML that was made here, as opposed to text that has to be escaped. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | readonly Html[]

const written = (part: Part): string => {
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/** Escapes whatever is put in, unless it is HTML of ours. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, index) => (index < parts.length ? `${text}${written(parts[index] ?? '')}` : text)).join(''),
})
