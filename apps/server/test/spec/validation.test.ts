import { ENDPOINTS } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { readSources, textsOf, walk } from './source.ts'
import { cell, differences, tableOf } from './spec-tables.ts'
import type { Fact } from './spec-tables.ts'

interface Field {
  safeParse(value: unknown): { readonly success: boolean }
}

/** Fields of an endpoint's body. */
const shapeOf = (body: unknown): Readonly<Record<string, Field>> =>
  typeof body === 'object' && body !== null && 'shape' in body ? (body.shape as Readonly<Record<string, Field>>) : {}

describe('docs/spec.md section 5', () => {
  it('has a rule for every field of every body of the API', () => {
    const code = Object.entries(ENDPOINTS)
      .filter(([, { body }]) => body !== undefined)
      .flatMap(([name, { body }]): Fact[] =>
        Object.entries(shapeOf(body)).map(([field, schema]) => [
          `${name}.${field}`,
          schema.safeParse(undefined).success ? 'no' : 'yes',
        ]),
      )
    expect(code.length).toBeGreaterThan(0)
    const documented = tableOf('bodies').flatMap((row): Fact[] =>
      cell(row, 'calls')
        .split(', ')
        .map((call) => [`${call.replaceAll('`', '')}.${cell(row, 'field')}`, cell(row, 'required')]),
    )
    expect(differences('bodies', documented, code)).toEqual([])
  })

  it('has the words of the forms', () => {
    const said = new Set<string>()
    for (const folder of ['apps/console/src/features', 'apps/console/src/lib']) {
      for (const { program } of readSources(folder)) {
        walk(program, (node) => {
          if (node.type === 'Literal' || node.type === 'TemplateLiteral')
            for (const text of textsOf(node)) said.add(text)
        })
      }
    }
    const unsaid = tableOf('forms')
      .map((row) => cell(row, 'message'))
      .filter((message) => !said.has(message))
      .map((message) => `docs/spec.md, table "forms": no form of the console says "${message}"`)
    expect(unsaid).toEqual([])
  })
})
