import type { LanguageRegistration } from 'shiki/core'
import { createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

import type { ColouredLine, ColourQuestion, TokenKind } from './highlight.ts'

/**
 * Colours source lines away from the page: compiling a large grammar takes half a second, and a hostile line may take for
 * ever, which only the end of this worker stops. Grammars come with the question, so that the worker is one file.
 */

/** A line from a minified bundle is not worth its time. */
const MAX_LINE_CHARACTERS = 500

/** Shiki wants colours; these stand for the kinds and are never drawn. */
const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ['#000001', 'comment'],
  ['#000002', 'keyword'],
  ['#000003', 'string'],
  ['#000004', 'number'],
  ['#000005', 'function'],
])

const THEME = {
  name: 'kinds',
  type: 'light' as const,
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: '#000001' } },
    { scope: ['keyword', 'storage', 'variable.language'], settings: { foreground: '#000002' } },
    { scope: ['keyword.operator', 'storage.type.function.arrow'], settings: { foreground: '#000000' } },
    {
      scope: ['keyword.operator.new', 'keyword.operator.expression', 'keyword.operator.logical.python'],
      settings: { foreground: '#000002' },
    },
    { scope: ['string', 'constant.other.symbol'], settings: { foreground: '#000003' } },
    { scope: ['meta.template.expression', 'meta.embedded'], settings: { foreground: '#000000' } },
    { scope: ['constant.numeric', 'constant.language'], settings: { foreground: '#000004' } },
    {
      scope: ['entity.name.function', 'support.function', 'meta.function-call.generic'],
      settings: { foreground: '#000005' },
    },
  ],
}

const highlighter = createHighlighterCore({
  themes: [THEME],
  langs: [],
  // Patterns that JavaScript cannot express are left out instead of refusing the whole grammar.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

async function answer({ id, text, language, grammar }: ColourQuestion): Promise<void> {
  const shiki = await highlighter
  if (grammar !== null) await shiki.loadLanguage(grammar as LanguageRegistration[])
  const lines = shiki.codeToTokensBase(text, {
    lang: language,
    theme: THEME.name,
    tokenizeMaxLineLength: MAX_LINE_CHARACTERS,
    // A limit would cut the first text short, while the grammar is still being compiled.
    tokenizeTimeLimit: 0,
  })
  const coloured: readonly ColouredLine[] = lines.map((line) =>
    line.map((token) => ({ text: token.content, kind: KINDS.get(token.color?.toLowerCase() ?? '') ?? 'plain' })),
  )
  postMessage({ id, lines: coloured })
}

addEventListener('message', (event: MessageEvent<ColourQuestion>) => {
  // Without colours the code is still there to read.
  answer(event.data).catch(() => postMessage({ id: event.data.id, lines: null }))
})
