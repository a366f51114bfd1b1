import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS, SCOPES, formatLinkHeader, openapi, paramNames, parseLinkHeader } from './index.ts'

describe('endpoints', () => {
  it('have one owner per method and path, a slash at the end and a known scope', () => {
    const seen = new Set<string>()
    for (const [name, { method, path, scope }] of Object.entries(ENDPOINTS)) {
      const shape = `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`
      expect(seen.has(shape), `${name} repeats ${shape}`).toBe(false)
      seen.add(shape)
      expect(path, name).toMatch(/^\/(?:[^/]+\/)*$/)
      expect(['public', 'signed-in', ...SCOPES], name).toContain(scope)
      if (SCOPES.some((known) => known === scope))
        expect(paramNames(path), `${name} has a scope but no {org}`).toContain('org')
    }
    expect(seen.size).toBeGreaterThan(60)
  })

  it('are described as OpenAPI 3.1 with unique operations, all parameters and resolvable references', () => {
    const document = JSON.parse(JSON.stringify(openapi(ENDPOINTS, { version: '1.2.3' }))) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string }[] }>>
      components: { schemas: Record<string, unknown> }
    }
    expect(document.openapi).toBe('3.1.0')
    const ids = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations).map((operation) => {
        const named = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
        expect(named).toEqual(paramNames(path))
        return operation.operationId
      }),
    )
    expect(ids.toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted())
    for (const [, target = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
      expect(target).toMatch(/^#\/components\/schemas\//)
      expect(document.components.schemas).toHaveProperty(target.replace('#/components/schemas/', ''))
    }
  })
})

describe('Link header', () => {
  it('is read as it was written, whatever the cursors are', () => {
    const cursor = fc.option(fc.stringMatching(/^[A-Za-z0-9:_-]{1,40}$/))
    fc.assert(
      fc.property(cursor, cursor, fc.webUrl({ withQueryParameters: true }), (next, previous, url) => {
        expect(parseLinkHeader(formatLinkHeader(new URL(url), { next, previous }))).toEqual({ next, previous })
      }),
    )
  })

  it('is tolerated when it is nonsense', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseLinkHeader(text)).toEqual({ next: null, previous: null })
      }),
    )
  })
})

describe('schemas', () => {
  it('are made without generated code, which the console’s Content-Security-Policy forbids', () => {
    const contract = new URL('index.ts', import.meta.url).href
    const script = `
      const attempts = []
      globalThis.Function = new Proxy(Function, { construct: () => { attempts.push(1); throw new EvalError('CSP') } })
      const { listIssues, ENDPOINTS } = await import(${JSON.stringify(contract)})
      listIssues.query.parse({})
      process.stdout.write(JSON.stringify([attempts.length, Object.keys(ENDPOINTS).length > 0]))`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(run.stdout).toBe('[0,true]')
  })
})
