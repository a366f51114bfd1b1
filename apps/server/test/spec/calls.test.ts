import { ENDPOINTS } from '@firsthand/contract'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CAPABILITIES } from '../../src/capabilities.ts'
import { COMMANDS } from '../../src/commands/index.ts'
import { otlpAddressesOf } from '../../src/compose-routes.ts'
import { readConfig } from '../../src/config.ts'
import { REPORT_FORMS } from '../../src/feedback/user-report-forms.ts'
import { matchRoute } from '../../src/ingest/door/route.ts'
import { callsOf, child, children, constant, nameOf, readSource, readSources, walk } from './source.ts'
import type { Source } from './source.ts'
import { cell, differences, ROOT, tableOf } from './spec-tables.ts'
import type { Fact } from './spec-tables.ts'

/** Stands in a row of the endpoints that no route is bound to. */
const UNANSWERED = '(not answered yet: 404)'

const exists = (key: string): Fact => [key, '']

describe('docs/spec.md section 7', () => {
  it('has every endpoint of the contract with its scope', () => {
    const documented = tableOf('endpoints').map((row): Fact => [
      `${cell(row, 'method')} ${cell(row, 'path')}`,
      `${cell(row, 'name')}, ${cell(row, 'scope')}`,
    ])
    const code = Object.entries(ENDPOINTS).map(([name, { method, path, scope }]): Fact => [
      `${method} ${path}`,
      `${name}, ${scope}`,
    ])
    expect(differences('endpoints', documented, code)).toEqual([])
  })

  it('says which endpoints nobody answers yet', () => {
    const bound = new Set(
      readSources('apps/server/src').flatMap((source) => [
        ...callsOf(source, new Set(['bind'])).map(({ args }) => nameOf(args[0] ?? null)),
        ...namedEndpoints(source),
      ]),
    )
    const documented = tableOf('endpoints')
      .filter((row) => cell(row, 'what it does').includes(UNANSWERED))
      .map((row) => exists(cell(row, 'name')))
    const code = Object.keys(ENDPOINTS).filter((name) => !bound.has(name))
    expect(differences(`endpoints ${UNANSWERED}`, documented, code.map(exists))).toEqual([])
  })

  it('has every ingest route, and they lead to the door', () => {
    const rows = tableOf('ingest-routes')
    const otlpAddresses = otlpAddressesOf(CAPABILITIES)
    const missed = rows.flatMap((row) => {
      const path = cell(row, 'path')
      const url = path
        .replace('{project}', '42')
        .replace('{key}', 'a'.repeat(32))
        .replaceAll(/\{\w+\}/g, 'x')
      const route = matchRoute(url, null, { forms: REPORT_FORMS, otlpAddresses })
      const kind = route?.kind === 'otlp' ? `otlp_${route.subject}` : (route?.form?.name ?? route?.kind)
      return kind === cell(row, 'kind')
        ? []
        : [`docs/spec.md: ${path} is ${kind ?? 'no ingest route'}, not ${cell(row, 'kind')}`]
    })
    expect(missed).toEqual([])
    const { program } = readSource('apps/server/src/ingest/door/route.ts')
    const kinds: string[] = []
    walk(program, (node) => {
      if (node.type !== 'TSTypeAliasDeclaration' || nameOf(child(node, 'id')) !== 'RouteKind') return
      walk(node, (part) => {
        if (part.type === 'Literal') kinds.push(String(part['value']))
      })
    })
    const forms = REPORT_FORMS.map(({ name }) => name)
    const exports = [...otlpAddresses.keys()].map((word) => `otlp_${word}`)
    const code = [...kinds.filter((kind) => kind !== 'form' && kind !== 'otlp'), ...forms, ...exports]
    const documented = [...new Set(rows.map((row) => cell(row, 'kind')))].map(exists)
    expect(differences('ingest-routes', documented, code.map(exists))).toEqual([])
  })

  it('has every command with its options', () => {
    const documented = tableOf('commands').map((row): Fact => [
      cell(row, 'command'),
      cell(row, 'options').replaceAll('`', ''),
    ])
    const code = Object.entries(COMMANDS).map(([name, { options }]): Fact => [name, optionList(Object.keys(options))])
    const ofClient = ['send', 'repro'].map((name): Fact => {
      const read = constant(readSource(`apps/cli/src/${name}.ts`).program, 'readOptions')
      const options: string[] = []
      if (read !== null) {
        walk(read, (node) => {
          if (node.type !== 'Property' || nameOf(child(node, 'key')) !== 'options') return
          for (const property of children(child(node, 'value'), 'properties'))
            options.push(nameOf(child(property, 'key')) ?? '')
        })
      }
      return [name, optionList(options)]
    })
    expect(differences('commands', documented, [...code, ...ofClient])).toEqual([])
  })

  it('has every variable of the environment with its default', () => {
    const properties = children(configurationSchema(), 'properties')
    const names = properties
      .map((property) => nameOf(child(property, 'key')) ?? '')
      .filter((name) => name.startsWith('FIRSTHAND_'))
    const documented = tableOf('environment').map((row) => exists(cell(row, 'variable')))
    expect(differences('environment', documented, names.map(exists))).toEqual([])
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const forgotten = names.filter((name) => !readme.includes(`| \`${name}\` |`))
    expect(forgotten, 'README.md: rows of its table of variables are missing').toEqual([])

    const defaults = readConfig({ FIRSTHAND_DATA_DIR: '/data' })
    expect(
      tableOf('environment')
        .filter((row) => cell(row, 'default') !== '–')
        .map((row) => [cell(row, 'variable'), cell(row, 'default')]),
    ).toEqual([
      ['FIRSTHAND_PORT', String(defaults.port)],
      ['FIRSTHAND_HOST', defaults.host],
      ['FIRSTHAND_DATA_DIR', './data'],
      ['FIRSTHAND_OWN_TRACES_SAMPLE_RATE', String(defaults.ownTracesSampleRate)],
      ['FIRSTHAND_LOG_LEVEL', defaults.logLevel],
    ])
  })
})

/** Routes that stand for another are written as `{ endpoint: listProjectIssues, handle: … }`. */
const namedEndpoints = ({ program }: Source): readonly (string | null)[] => {
  const names: (string | null)[] = []
  walk(program, (node) => {
    if (node.type === 'Property' && nameOf(child(node, 'key')) === 'endpoint') names.push(nameOf(child(node, 'value')))
  })
  return names
}

const optionList = (names: readonly string[]): string =>
  names
    .map((name) => `--${name}`)
    .toSorted()
    .join(' ')

/** The object in `const environment = z.object({ … })` of config.ts. */
const configurationSchema = () => {
  const call = constant(readSource('apps/server/src/config.ts').program, 'environment')
  const [object] = children(call, 'arguments')
  if (object === undefined) throw new Error('apps/server/src/config.ts has no schema named environment')
  return object
}
