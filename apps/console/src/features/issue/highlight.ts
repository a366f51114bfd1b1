import { useEffect, useState } from 'react'

import type { Language } from './model/languages.ts'

/**
 * Syntax colour for source lines. Shiki and each grammar are loaded when the first such line is shown; until then, and for
 * anything that fails or takes too long, the line is plain. The work is done in a worker, with JavaScript's own regular
 * expressions (the page's policy allows no WebAssembly), and tokens become classes (it allows no style attributes).
 */
export type TokenKind = 'plain' | 'comment' | 'keyword' | 'string' | 'number' | 'function'

export interface ColouredPart {
  readonly text: string
  readonly kind: TokenKind
}

export type ColouredLine = readonly ColouredPart[]

export interface ColourQuestion {
  readonly id: number
  readonly text: string
  readonly language: Language
  /** The grammar with those it embeds, the first time a language is asked for; null afterwards. */
  readonly grammar: unknown
}

interface ColourAnswer {
  readonly id: number
  readonly lines: readonly ColouredLine[] | null
}

/** Compiling a grammar on a slow machine takes seconds; what takes longer than this will never end. */
const GIVE_UP_AFTER_MS = 10_000

const GRAMMARS: Readonly<Record<Language, () => Promise<{ readonly default: unknown }>>> = {
  javascript: () => import('shiki/langs/javascript.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  dart: () => import('shiki/langs/dart.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  elixir: () => import('shiki/langs/elixir.mjs'),
  vue: () => import('shiki/langs/vue.mjs'),
  svelte: () => import('shiki/langs/svelte.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  json: () => import('shiki/langs/json.mjs'),
}

interface Colourer {
  readonly worker: Worker
  readonly sent: Set<Language>
  readonly waiting: Map<number, (lines: readonly ColouredLine[] | null) => void>
}

let colourer: Colourer | undefined
let questions = 0

function startColourer(): Colourer {
  const worker = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' })
  const started: Colourer = { worker, sent: new Set(), waiting: new Map() }
  worker.addEventListener('message', (event: MessageEvent<ColourAnswer>) => {
    started.waiting.get(event.data.id)?.(event.data.lines)
    started.waiting.delete(event.data.id)
  })
  worker.addEventListener('error', () => stop(started))
  return started
}

/** Everybody who waits gets plain lines; the next question starts afresh. */
function stop(stopped: Colourer): void {
  stopped.worker.terminate()
  if (colourer === stopped) colourer = undefined
  for (const settle of stopped.waiting.values()) settle(null)
  stopped.waiting.clear()
}

async function colour(text: string, language: Language): Promise<readonly ColouredLine[] | null> {
  const grammar = await GRAMMARS[language]()
  colourer ??= startColourer()
  const asked = colourer
  questions += 1
  const question: ColourQuestion = {
    id: questions,
    text,
    language,
    grammar: asked.sent.has(language) ? null : grammar.default,
  }
  asked.sent.add(language)
  return new Promise((resolve) => {
    const timer = setTimeout(() => stop(asked), GIVE_UP_AFTER_MS)
    asked.waiting.set(question.id, (lines) => {
      clearTimeout(timer)
      resolve(lines)
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    asked.worker.postMessage(question)
  })
}

/** Coloured lines of `text`, or null until they are ready (and for ever without a language). */
export function useColoured(text: string, language: Language | null): readonly ColouredLine[] | null {
  const [coloured, setColoured] = useState<{ text: string; lines: readonly ColouredLine[] } | null>(null)
  useEffect(() => {
    if (language === null) return undefined
    let wanted = true
    void colour(text, language).then(
      (lines) => {
        if (wanted && lines !== null) setColoured({ text, lines })
      },
      // Colour is an extra: a grammar that cannot be loaded leaves the source plain.
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [text, language])
  return coloured !== null && coloured.text === text ? coloured.lines : null
}
