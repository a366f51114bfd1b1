import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import {
  ApiError,
  createClient,
  formatPath,
  getShortId,
  listApiTokens,
  listIssues,
  logOut,
  updateIssue,
} from './index.ts'
import type { Issue } from './index.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('client', () => {
  it('fills parameters, repeats lists, leaves out what is undefined', () => {
    expect(formatPath('/organizations/{org}/issues/', { org: 'a/b' }, { project: ['1', '2'], query: undefined })).toBe(
      '/api/0/organizations/a%2Fb/issues/?project=1&project=2',
    )
    expect(() => formatPath('/organizations/{org}/', {})).toThrow('needs the parameter "org"')
  })

  it('answers the parsed body with the cursors of the neighbouring pages', async () => {
    const paths: string[] = []
    const baseUrl = await serve((request, response) => {
      paths.push(request.url ?? '')
      response.setHeader(
        'link',
        '<http://x/?cursor=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", <http://x/?cursor=0:25:0>; rel="next"; results="true"; cursor="0:25:0"',
      )
      response.setHeader('x-hits', '27')
      response.end('[]')
    })
    const client = createClient({ baseUrl })
    const page = await client.page(listIssues, { params: { org: 'acme' }, query: { limit: 25, project: ['1'] } })
    expectTypeOf(page.data).toEqualTypeOf<Issue[]>()
    expect(page).toEqual({ data: [], hits: 27, next: '0:25:0', previous: null })
    expect(paths).toEqual(['/api/0/organizations/acme/issues/?limit=25&project=1'])
  })

  it('sends JSON and the headers it was given, and takes an empty answer as null', async () => {
    const seen: unknown[] = []
    const baseUrl = await serve((request, response) => {
      seen.push(request.method, request.headers['x-csrf-token'])
      response.statusCode = 204
      response.end()
    })
    const client = createClient({ baseUrl, headers: () => ({ 'x-csrf-token': 'secret' }) })
    await expect(client.call(logOut)).resolves.toBeNull()
    expect(seen).toEqual(['POST', 'secret'])
  })

  it('turns a refusal into an ApiError with detail, digest, fields and waiting time', async () => {
    const baseUrl = await serve((_, response) => {
      response.statusCode = 429
      response.setHeader('retry-after', '7')
      response.end(JSON.stringify({ detail: 'Too many attempts.', digest: 'abc', fields: { email: 'odd' } }))
    })
    const failure = await createClient({ baseUrl })
      .call(updateIssue, { params: { org: 'a', issue: '1' }, body: { status: 'resolved' } })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({
      status: 429,
      detail: 'Too many attempts.',
      digest: 'abc',
      fields: { email: 'odd' },
      retryAfter: 7,
    })
  })

  it('names the mistake when an answer is not JSON or has another shape, and passes unknown keys over', async () => {
    const answers = [
      '<html>',
      '{"id":1}',
      '[{"id":"1","name":"ci","scopes":[],"tokenLastCharacters":"abcd","dateCreated":"","dateLastUsed":null,"dateExpires":null,"createdBy":{"id":"1","name":"Ada","email":"ada@example.com"},"isMakerKnown":true,"new":true}]',
    ]
    const baseUrl = await serve((_, response) => response.end(answers.shift()))
    const client = createClient({ baseUrl })
    await expect(client.call(getShortId, { params: { org: 'a', shortId: 'A-1' } })).rejects.toThrow('not JSON')
    await expect(client.call(listApiTokens, { params: { org: 'a' } })).rejects.toThrow('agreed shape')
    await expect(client.call(listApiTokens, { params: { org: 'a' } })).resolves.toHaveLength(1)
  })
})
