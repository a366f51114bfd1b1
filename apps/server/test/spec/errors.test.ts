import { OUTCOMES } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { MEMBER_SENTENCES } from '../../src/member-sentences.ts'
import {
  apiErrors,
  consoleReasons,
  doorRefusals,
  findingsOfServer,
  outcomeOfRefusal,
  outcomeReasons,
  startUpErrors,
} from './catalogues.ts'
import { callsOf, child, constant, readSource, textsOf, walk } from './source.ts'
import { cell, differences, tableOf } from './spec-tables.ts'
import type { Fact, Row } from './spec-tables.ts'

const exists = (key: string): Fact => [key, '']

/** Ends the reason of an outcome that the console has no words of its own for. */
const WITHOUT_WORDS = ' *'

const outcomeKey = (row: Row): string =>
  `${cell(row, 'outcome')}/${cell(row, 'reason').replace(WITHOUT_WORDS, '').replaceAll('`', '').replace(/^–$/, '')}`

describe('docs/spec.md section 8', () => {
  it('explains every way in which an item can end', () => {
    const documented = tableOf('outcomes').map((row) => exists(outcomeKey(row)))
    expect(differences('outcomes', documented, [...outcomeReasons()].map(exists))).toEqual([])
  })

  it('lists the kinds of outcomes', () => {
    const documented = tableOf('outcome-kinds').map((row) => exists(cell(row, 'outcome')))
    expect(differences('outcome-kinds', documented, OUTCOMES.map(exists))).toEqual([])
  })

  it('uses the words that the console shows', () => {
    const words = consoleReasons()
    const documented: Fact[] = []
    const code: Fact[] = []
    for (const row of tableOf('outcomes')) {
      const key = outcomeKey(row)
      const shown = words.get(key)
      const given = cell(row, 'reason').endsWith(WITHOUT_WORDS)
        ? undefined
        : `${cell(row, 'why')} ${cell(row, 'what to do')}`
      documented.push([key, given ?? 'without words'])
      code.push([key, shown === undefined ? 'without words' : `${shown.why} ${shown.todo}`])
    }
    expect(differences('outcomes', documented, code)).toEqual([])
  })

  it('uses the words that the console shows for what SDKs discard', () => {
    const documented = tableOf('client-discards').map((row): Fact => [
      cell(row, 'reason'),
      `${cell(row, 'why')} ${cell(row, 'what to do')}`,
    ])
    const code = [...consoleReasons()]
      .filter(([key]) => key.startsWith('client_discard/'))
      .map(([key, { why, todo }]): Fact => [key.replace('client_discard/', ''), `${why} ${todo}`])
    expect(differences('client-discards', documented, code)).toEqual([])
  })

  it('says which words of the console nothing in the server leads to', () => {
    const reasons = outcomeReasons()
    const unused = [...consoleReasons().keys()].filter(
      (key) => !key.startsWith('/') && !key.startsWith('client_discard/') && !reasons.has(key),
    )
    const documented = tableOf('unused-words').map((row) => exists(`${cell(row, 'outcome')}/${cell(row, 'reason')}`))
    expect(differences('unused-words', documented, unused.map(exists))).toEqual([])
  })

  it('has every refusal of the door', () => {
    const documented = tableOf('door-refusals').map((row): Fact => [
      `${cell(row, 'status')} ${cell(row, 'reason')}: ${cell(row, 'detail')}`,
      cell(row, 'counted as'),
    ])
    const code = doorRefusals().map((refusal): Fact => [
      `${refusal.status} ${refusal.reason}: ${refusal.detail}`,
      outcomeOfRefusal(refusal) ?? '–',
    ])
    expect(differences('door-refusals', documented, code)).toEqual([])
  })

  it('has every fault of an envelope', () => {
    const envelope = callsOf(readSource('packages/protocol/src/envelope.ts'), new Set(['failure'])).flatMap(
      ({ args }) =>
        textsOf(args[0] ?? null).flatMap((fault) =>
          textsOf(args[1] ?? null).map((text) => exists(`${fault}: ${text}`)),
        ),
    )
    const multipart = callsOf(readSource('apps/server/src/ingest/door/multipart.ts'), new Set(['err'])).flatMap(
      ({ args }) => textsOf(args[0] ?? null).map((text) => exists(`invalid_multipart: ${text}`)),
    )
    const code = [...envelope, ...multipart]
    const documented = tableOf('envelope-faults').map((row) => exists(`${cell(row, 'fault')}: ${cell(row, 'message')}`))
    expect(differences('envelope-faults', documented, code)).toEqual([])
  })

  it('has every sentence of the HTTP API', () => {
    const documented = tableOf('api-errors').map((row) => exists(`${cell(row, 'status')} ${cell(row, 'detail')}`))
    const code = apiErrors().map(({ status, detail }) => exists(`${status} ${detail}`))
    expect(differences('api-errors', documented, [...code, exists(`500 ${unexpected()}`)])).toEqual([])
  })

  it('has every sentence that ends a start', () => {
    const documented = tableOf('start-errors').map((row) => exists(cell(row, 'sentence')))
    expect(differences('start-errors', documented, startUpErrors().map(exists))).toEqual([])
  })

  it('has every sentence that the running server says of itself', () => {
    const documented = tableOf('findings').map((row) => exists(`${cell(row, 'id')}: ${cell(row, 'sentence')}`))
    const code = findingsOfServer().map(({ id, sentence }) => exists(`${id}: ${sentence}`))
    expect(differences('findings', documented, code)).toEqual([])
  })

  it('has what members read of each of them', () => {
    const documented = tableOf('findings-for-members').map((row): Fact => [
      cell(row, 'id').replaceAll('`', ''),
      cell(row, 'sentence'),
    ])
    expect(differences('findings-for-members', documented, Object.entries(MEMBER_SENTENCES))).toEqual([])
    // Advice is not for them, and what concerns their organisation alone they read whole.
    const ids = new Set(findingsOfServer().map(({ id }) => id))
    for (const advice of ['public_url', 'token_makers', 'findings_behind']) ids.delete(advice)
    expect(Object.keys(MEMBER_SENTENCES).toSorted()).toEqual([...ids].toSorted())
  })

  it("has the words of the console's error page", () => {
    const { program } = readSource('apps/console/src/shell/navigation/error-page.tsx')
    const texts: string[] = []
    walk(program, (node) => {
      if (node.type === 'TemplateLiteral') texts.push(...textsOf(node))
      if (node.type === 'JSXText') texts.push(String(node['value']).trim())
    })
    for (const row of tableOf('error-page')) {
      const words = cell(row, 'words').replace(/ …$/, '')
      expect(texts, `apps/console/src/shell/navigation/error-page.tsx does not say "${words}"`).toContain(words)
    }
  })
})

/** What is said about everything that was not expected. */
const unexpected = (): string => {
  const { program } = readSource('apps/server/src/http/app.ts')
  const refuse = constant(program, 'refuse')
  let detail = ''
  if (refuse !== null) {
    walk(refuse, (node) => {
      const text = node.type === 'Property' ? textsOf(child(node, 'value'))[0] : undefined
      if (text !== undefined) detail ||= text
    })
  }
  return detail
}
